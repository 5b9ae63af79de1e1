/**
 * The simulated reviewer: makes one decision at a time about images, failed processing and incidents. She leaves some
 * decisions to the user of the demo, but only up to a limit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, type Client } from '@milepost/api';
import { fate } from './fate.ts';
import { isConflict, repeat, type Log, type Stoppable } from './repeat.ts';

interface Candidate {
  id: number;
  label: string;
}

/** The share of decisions left to the user of the demo, and their maximum number. */
const leftToUser = {
  visual_qc: { share: 0.2, most: 30 },
  processing_failed: { share: 0.3, most: 8 },
  incidents: { share: 0.4, most: 10 },
};

/** The time before each decision. */
const thinkingMs = 12_000;

export function startRater(client: Client, log: Log): Stoppable {
  const seen = new Map<string, number>();
  const next = (kind: keyof typeof leftToUser, all: readonly Candidate[]): Candidate | undefined => {
    const now = performance.now();
    const due = all.filter(({ id }) => now - firstSeen(seen, `${kind} ${id}`, now) > thinkingMs);
    const { share, most } = leftToUser[kind];
    return due.find(({ label }) => fate('left', kind, label) >= share) ?? (due.length > most ? due[0] : undefined);
  };
  const decide = async (state: 'visual_qc' | 'processing_failed') => {
    const { experiments } = await client.listExperiments({ query: { state } });
    const one = next(state, experiments);
    if (one) await (state === 'visual_qc' ? review(client, one) : reconsider(client, one));
  };
  const retry = async () => {
    const { incidents } = await client.listIncidents();
    const one = next(
      'incidents',
      incidents.map(({ id, experiment }) => ({ id, label: experiment.label })),
    );
    const { id } = incidents.find((incident) => incident.id === one?.id)?.experiment ?? {};
    const body = { reason: 'The log suggests a temporary problem' };
    if (id !== undefined) await client.retryExperiment({ params: { id }, body });
  };
  const decideOnce = async (signal: AbortSignal) => {
    for (const step of [() => decide('visual_qc'), () => decide('processing_failed'), retry]) {
      await step().catch((error: unknown) => {
        if (!isConflict(error)) throw error;
      });
      await sleep(500, undefined, { signal });
    }
  };
  return repeat(() => 1500 + 2000 * Math.random(), decideOnce, log);
}

function firstSeen(seen: Map<string, number>, name: string, now: number): number {
  const at = seen.get(name) ?? now;
  seen.set(name, at);
  return at;
}

const move = (client: Client, { id }: Candidate, from: string, to: string, freetext: string, answers: object = {}) =>
  client.setExperimentState({ params: { id }, body: { state_label: to, expected_state: from, freetext, ...answers } });

const quality = (word: 'good' | 'fair' | 'poor') => ({ variables: { quality: word } });

async function review(client: Client, one: Candidate): Promise<void> {
  const chance = fate('look', one.label);
  if (chance < 0.18)
    await move(client, one, 'visual_qc', 'rejected', 'Motion artefacts in all planes', quality('poor'));
  else if (chance < 0.33) await reprocessOnce(client, one);
  else await move(client, one, 'visual_qc', 'archiving', 'Segmentation looks good', quality('good'));
}

/** An experiment can be reprocessed only once. After that it is accepted as it is. */
async function reprocessOnce(client: Client, one: Candidate): Promise<void> {
  try {
    await move(client, one, 'visual_qc', 'reprocessing', 'The left hippocampus leaks into the amygdala');
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem?.code !== 'condition_not_met') throw error;
    await move(client, one, 'visual_qc', 'archiving', 'Acceptable after reprocessing', quality('fair'));
  }
}

async function reconsider(client: Client, one: Candidate): Promise<void> {
  if (fate('reconsider', one.label) < 0.25)
    await move(client, one, 'processing_failed', 'excluded', 'Cannot be converted');
  else await move(client, one, 'processing_failed', 'conversion', 'Second attempt with more memory');
}
