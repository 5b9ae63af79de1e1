/**
 * Records the ends of runs in batches. An idle worker writes each end at once. Runs that end while two batches are being written are
 * the next batch, so a busy worker sends two or three statements for up to 50 ends.
 */
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import { changeTogether, maxTogether } from './change-together.ts';
import { changeAtEnd, endRun, type EndedAs, type FinishedRun } from './end-run.ts';

export type EndRun = (run: FinishedRun) => Promise<EndedAs>;

interface Waiting {
  run: FinishedRun;
  resolve: (ended: EndedAs | Promise<EndedAs>) => void;
}

/** One is read while the other is written. */
const batchesAtOnce = 2;

export function createRunEnds(context: EngineContext): EndRun {
  let waiting: Waiting[] = [];
  let writers = 0;
  const writeAll = async (): Promise<void> => {
    writers++;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxTogether);
      waiting = waiting.slice(maxTogether);
      await endBatch(context, batch);
    }
    writers--;
  };
  return (run) =>
    new Promise((resolve) => {
      waiting.push({ run, resolve });
      if (writers < batchesAtOnce) void writeAll();
    });
}

/**
 * Runs that the batch skipped are ended one by one. The next batch does not wait for them, because they may wait for locks. If the batch
 * fails, all its runs are ended this way, so that one run whose end cannot be written does not affect the others.
 */
async function endBatch(context: EngineContext, batch: readonly Waiting[]): Promise<void> {
  const ended = await endTogether(context, batch).catch((error: unknown) => {
    context.onError(error);
    return nothing;
  });
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
    const change = run && changeAtEnd(snapshot, run);
    return change && { change, trace: run.trace };
  });
  return new Set([...runs.values()].filter(({ executionId }) => changed.has(executionId)));
}
