/**
 * Records the ends of runs in batches. A run that ends while a batch is being written is part of the next one, so a worker that has
 * little to do waits for nothing, and a busy one sends two statements for up to 50 ends.
 */
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import { changeTogether, maxTogether } from './change-together.ts';
import { changeAtEnd, endRun, type EndedAs, type FinishedRun } from './end-run.ts';

export type EndRun = (run: FinishedRun) => Promise<EndedAs>;

interface Waiting {
  run: FinishedRun;
  resolve: (ended: EndedAs | Promise<EndedAs>) => void;
}

export function createRunEnds(context: EngineContext): EndRun {
  let waiting: Waiting[] = [];
  let writing = false;
  const writeAll = async (): Promise<void> => {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxTogether);
      waiting = waiting.slice(maxTogether);
      await endBatch(context, batch);
    }
    writing = false;
  };
  return (run) =>
    new Promise((resolve) => {
      waiting.push({ run, resolve });
      if (!writing) void writeAll();
    });
}

/**
 * Ends alone what the batch leaves, without keeping the next batch waiting. That is everything if the batch fails, so that one run
 * whose end cannot be written does not affect the others.
 */
async function endBatch(context: EngineContext, batch: readonly Waiting[]): Promise<void> {
  const ended = batch.length > 1 ? await endTogether(context, batch).catch(() => nothing) : nothing;
  for (const { run, resolve } of batch) {
    resolve(ended.has(run) ? 'recorded' : endRun(context, run));
  }
}

const nothing: ReadonlySet<FinishedRun> = new Set();

/** After a long pause, two attempts of one execution can end in the same batch. */
async function endTogether(context: EngineContext, batch: readonly Waiting[]): Promise<ReadonlySet<FinishedRun>> {
  const runs = new Map(batch.map(({ run }) => [run.executionId, run]));
  const changed = await changeTogether(context, [...runs.keys()], (snapshot) => {
    const run = runs.get(snapshot.execution.id);
    return run && changeAtEnd(snapshot, run);
  });
  return new Set([...runs.values()].filter(({ executionId }) => changed.has(executionId)));
}
