/** Faults that hit a worker in the middle of a run: the receiver holds its answer until the fault has happened. */
import type { WorkerProcess } from '../../packages/server/testing/worker-process.ts';
import { finds } from './place/ask.ts';
import type { Place } from './place/place.ts';
import type { HeldRuns } from './place/receiver.ts';
import { until } from './until.ts';

/** Asked to end while it runs something, which it must give back. */
export const endBusyWorker = (place: Place, number: number): Promise<void> =>
  whileCallbacksHang(place, async (held) => {
    const ended = place.workers[number]?.end(async (worker) => {
      await untilItRuns(place, worker, held);
      void untilNothingIsLeft(place, worker).then(held.release);
    });
    await ended;
  });

/** Frozen while it runs something, and continued when another worker has taken over: its own outcome must be refused. */
export const freezeBusyWorker = (place: Place, number: number): Promise<void> =>
  whileCallbacksHang(place, async (held) => {
    let refusedBefore = 0;
    await place.workers[number]?.freeze({
      before: (worker) => {
        refusedBefore = refusedRuns(worker);
        return untilItRuns(place, worker, held);
      },
      meanwhile: (worker) => {
        held.release();
        return untilNothingIsLeft(place, worker);
      },
      after: (worker) => until('the run of a frozen worker is refused', () => refusedRuns(worker) > refusedBefore),
    });
  });

export const refusedRuns = (worker: { output: () => string }): number =>
  worker.output().split('"code":"stale_attempt"').length - 1;

async function whileCallbacksHang({ receiver, tell }: Place, work: (held: HeldRuns) => Promise<void>): Promise<void> {
  await tell({ kind: 'fault', what: 'hold callbacks' });
  const held = receiver.hold();
  await work(held);
  held.release();
  await tell({ kind: 'back', what: 'hold callbacks' });
}

const untilItRuns = ({ postgres }: Place, { name }: WorkerProcess, { runs }: HeldRuns) =>
  until(
    'a worker runs a callback',
    () => {
      const seen = runs();
      const [executions, attempts] = [seen.map(({ execution }) => execution), seen.map(({ attempt }) => attempt)];
      return finds(
        postgres,
        `select from execution_attempts where worker = $1 and ended_at is null
           and (execution_id, attempt) in (select * from unnest($2::bigint[], $3::integer[]))`,
        [name, executions, attempts],
      );
    },
    200,
  );

/** Until other attempts have begun for everything that the worker ran, or it has ended. */
const untilNothingIsLeft = ({ postgres }: Place, { name }: WorkerProcess) =>
  until(
    'others take over the runs of a worker',
    () =>
      finds(
        postgres,
        `select where not exists (
           select from execution_attempts as held join callback_executions as one
             on one.id = held.execution_id and one.attempt = held.attempt
           where held.worker = $1 and one.status = 'running')`,
        [name],
      ),
    200,
  );
