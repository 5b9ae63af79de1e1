/**
 * Brings a new visit every few seconds, so that there is always something on its way: eight moves each, two to five a
 * second in all. After some thousand experiments old ones are processed again instead, and the study grows no more.
 */
import type { Client } from '@milepost/api';
import { loadExperiment, type SubjectIds } from './load-study.ts';
import { rounds, type Going, type Tell } from './rounds.ts';
import { baseline, visit } from './study.ts';

const mostExperiments = 3000;

export interface Arriving {
  client: Client;
  ids: SubjectIds;
  /** How many there are at the start. */
  experiments: number;
  tell: Tell;
}

export function startArrivals({ client, ids, experiments, tell }: Arriving): Going {
  let count = Math.max(experiments, baseline.length);
  const round = () => {
    if (count >= mostExperiments) return processAgain(client);
    return loadExperiment(client, ids, visit(count++ - baseline.length));
  };
  return rounds(() => 1800 + 1400 * Math.random(), round, tell);
}

async function processAgain(client: Client): Promise<void> {
  const offset = Math.floor(Math.random() * baseline.length);
  const { experiments } = await client.listExperiments({ query: { state: 'accepted', limit: 1, offset } });
  for (const { id } of experiments) {
    const body = { state: 'segmentation', reason: 'Processed again by a newer pipeline', run_callbacks: true };
    await client.placeExperiment({ params: { id }, body });
  }
}
