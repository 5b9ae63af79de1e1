/** Faults that hit a worker in the middle of a run. The receiver holds its response until the fault has happened. */
import type { WorkerProcess } from '../../packages/server/testing/processes/worker-process.ts';
import { finds } from './testbed/query.ts';
import type { Testbed } from './testbed/testbed.ts';
import type { HeldRuns } from './testbed/receiver.ts';
import { until } from './until.ts';

/** Shuts down a worker during a run, which it must return. */
export const shutDownBusyWorker = (testbed: Testbed, number: number): Promise<void> =>
  whileCallbacksHang(testbed, async (held) => {
    await testbed.workers[number]?.shutDown(async (worker) => {
      await untilItRuns(testbed, worker, held);
      void untilTakenOver(testbed, worker).then(held.release);
    });
  });

/** Freezes a worker during a run and continues it when another worker has taken over. Its own result must be rejected. */
export const freezeBusyWorker = (testbed: Testbed, number: number): Promise<void> =>
  whileCallbacksHang(testbed, async (held) => {
    let isRejected = notYet;
    await testbed.workers[number]?.freeze({
      before: async (worker) => {
        isRejected = await watchRejection(worker);
        await untilItRuns(testbed, worker, held);
      },
      meanwhile: (worker) => {
        held.release();
        return untilTakenOver(testbed, worker);
      },
      after: () => until('the run of a frozen worker is rejected', () => isRejected()),
    });
  });

const notYet = async () => false;

/** The number of runs that may be recorded before the rejected one. If none is rejected, the checkers report it. */
const maxRecorded = 50;

async function watchRejection(worker: WorkerProcess): Promise<() => Promise<boolean>> {
  const recorded = async () => (await worker.metric('milepost_runs_total{outcome="recorded"}')) || 0;
  const before = { rejected: rejectedRuns(worker), recorded: await recorded() };
  return async () => rejectedRuns(worker) > before.rejected || (await recorded()) > before.recorded + maxRecorded;
}

export const rejectedRuns = (worker: { output: () => string }): number =>
  worker.output().split('"code":"stale_attempt"').length - 1;

async function whileCallbacksHang(
  { receiver, logFault }: Testbed,
  work: (held: HeldRuns) => Promise<void>,
): Promise<void> {
  await logFault({ kind: 'fault', what: 'hold callbacks' });
  const held = receiver.hold();
  await work(held);
  held.release();
  await logFault({ kind: 'back', what: 'hold callbacks' });
}

const untilItRuns = ({ postgres }: Testbed, { name }: WorkerProcess, { runs }: HeldRuns) =>
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

/** Waits until each run of the worker has ended or has a new attempt. */
const untilTakenOver = ({ postgres }: Testbed, { name }: WorkerProcess) =>
  until(
    'other workers take over the runs of a worker',
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
