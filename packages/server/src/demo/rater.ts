/**
 * A person who decides, one thing at a time: looks at pictures, at what the cluster gave up, at what failed. She leaves some
 * of it to whoever tries the demo, but never lets it pile up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, type Client } from '@milepost/api';
import { fate } from './fate.ts';
import { isRefusal, rounds, type Going, type Tell } from './rounds.ts';

interface Waiting {
  id: number;
  label: string;
}

/** Which share of what there is to decide is left for others, and at most how much of it. */
const left = {
  visual_qc: { share: 0.2, most: 30 },
  processing_failed: { share: 0.3, most: 8 },
  incidents: { share: 0.4, most: 10 },
};

/** Nobody decides at once. */
const thinkingMs = 12_000;

export function startRater(client: Client, tell: Tell): Going {
  const seen = new Map<string, number>();
  const ripe = (kind: keyof typeof left, all: readonly Waiting[]): Waiting | undefined => {
    const now = performance.now();
    const due = all.filter(({ id }) => now - firstSeen(seen, `${kind} ${id}`, now) > thinkingMs);
    const { share, most } = left[kind];
    return due.find(({ label }) => fate('left', kind, label) >= share) ?? (due.length > most ? due[0] : undefined);
  };
  const decide = async (state: 'visual_qc' | 'processing_failed') => {
    const { experiments } = await client.listExperiments({ query: { state } });
    const one = ripe(state, experiments);
    if (one) await (state === 'visual_qc' ? look(client, one) : reconsider(client, one));
  };
  const retry = async () => {
    const { incidents } = await client.listIncidents();
    const one = ripe(
      'incidents',
      incidents.map(({ id, experiment }) => ({ id, label: experiment.label })),
    );
    const { id } = incidents.find((incident) => incident.id === one?.id)?.experiment ?? {};
    const body = { reason: 'Looked at the log: worth another try' };
    if (id !== undefined) await client.retryExperiment({ params: { id }, body });
  };
  const round = async (signal: AbortSignal) => {
    for (const step of [() => decide('visual_qc'), () => decide('processing_failed'), retry]) {
      await step().catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
      await sleep(500, undefined, { signal });
    }
  };
  return rounds(() => 1500 + 2000 * Math.random(), round, tell);
}

function firstSeen(seen: Map<string, number>, name: string, now: number): number {
  const at = seen.get(name) ?? now;
  seen.set(name, at);
  return at;
}

const move = (client: Client, { id }: Waiting, from: string, to: string, freetext: string) =>
  client.setExperimentState({ params: { id }, body: { state_label: to, expected_state: from, freetext } });

async function look(client: Client, one: Waiting): Promise<void> {
  const chance = fate('look', one.label);
  if (chance < 0.18) await move(client, one, 'visual_qc', 'rejected', 'Motion in all planes');
  else if (chance < 0.33) await processOnce(client, one);
  else await move(client, one, 'visual_qc', 'archiving', 'Borders are fine');
}

/** It can be processed again only once: what still looks difficult then is accepted as it is. */
async function processOnce(client: Client, one: Waiting): Promise<void> {
  try {
    await move(client, one, 'visual_qc', 'reprocessing', 'The left hippocampus leaks into the amygdala');
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem?.code !== 'condition_not_met') throw error;
    await move(client, one, 'visual_qc', 'archiving', 'As good as it gets');
  }
}

async function reconsider(client: Client, one: Waiting): Promise<void> {
  if (fate('reconsider', one.label) < 0.25) await move(client, one, 'processing_failed', 'excluded', 'Not convertible');
  else await move(client, one, 'processing_failed', 'conversion', 'Once more, with more memory');
}
