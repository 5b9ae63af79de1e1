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
    let isRefused = notYet;
    await place.workers[number]?.freeze({
      before: async (worker) => {
        isRefused = await watchRefusal(worker);
        await untilItRuns(place, worker, held);
      },
      meanwhile: (worker) => {
        held.release();
        return untilNothingIsLeft(place, worker);
      },
      after: () => until('the run of a frozen worker is refused', () => isRefused()),
    });
  });

const notYet = async () => false;

/** So many runs may be recorded before the one that must be refused. If it never is, the checkers see it. */
const mostRecorded = 50;

async function watchRefusal(worker: WorkerProcess): Promise<() => Promise<boolean>> {
  const recorded = async () => (await worker.metric('milepost_runs_total{outcome="recorded"}')) || 0;
  const before = { refused: refusedRuns(worker), recorded: await recorded() };
  return async () => refusedRuns(worker) > before.refused || (await recorded()) > before.recorded + mostRecorded;
}

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
