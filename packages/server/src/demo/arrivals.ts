/**
 * Adds a new visit every few seconds. Each takes about eight moves, so that the demo has two to five moves a second. When
 * the study has 3000 experiments, old ones are processed again instead.
 */
import type { Client } from '@milepost/api';
import { loadExperiment, type SubjectIds } from './load-study.ts';
import { repeat, type Log, type Stoppable } from './repeat.ts';
import { baseline, visit } from './study.ts';

const maxExperiments = 3000;

export interface ArrivalsOptions {
  client: Client;
  ids: SubjectIds;
  /** The number of experiments at the start. */
  experiments: number;
  log: Log;
}

export function startArrivals({ client, ids, experiments, log }: ArrivalsOptions): Stoppable {
  let count = Math.max(experiments, baseline.length);
  const arrive = () => {
    if (count >= maxExperiments) return processAgain(client);
    return loadExperiment(client, ids, visit(count++ - baseline.length));
  };
  return repeat(() => 1800 + 1400 * Math.random(), arrive, log);
}

async function processAgain(client: Client): Promise<void> {
  const offset = Math.floor(Math.random() * baseline.length);
  const { experiments } = await client.listExperiments({ query: { state: 'accepted', limit: 1, offset } });
  for (const { id } of experiments) {
    const body = { state: 'segmentation', reason: 'Reprocessing with a newer pipeline', run_callbacks: true };
    await client.placeExperiment({ params: { id }, body });
  }
}
