/**
 * (f) Each successful execution reached the receiver, each attempt called it at most once, and each further attempt has a
 * cause: the receiver failed the previous one, a fault hit its worker, the database or the receiver, or its lease expired. If
 * durations are checked, a lease expires only after a fault.
 */
import { leaseSeconds } from '../../../packages/server/src/store/runs/attempts.ts';
import type { FaultLine } from '../drive/lines.ts';
import { groupBy, type AttemptRow, type Checker, type Evidence } from './evidence.ts';

const quietSlackMs = 2000;

/** A fault explains attempts that started up to `slackMs` after it ended, because statements in progress fail later. */
const receivedWithin =
  (slackMs: number): Checker =>
  (evidence) => [...unreached(evidence), ...repeated(evidence), ...withoutCause(evidence, slackMs)];

/** For a machine of any speed. */
export const received = receivedWithin(60_000);
/** For an otherwise idle machine. */
export const receivedInTime = receivedWithin(quietSlackMs);

const nameOf = (execution: number, attempt: number) => `${execution}/${attempt}`;

function unreached({ executions, runs }: Evidence): string[] {
  const reached = new Set(runs.filter(({ status }) => status === 200).map((run) => nameOf(run.execution, run.attempt)));
  return executions
    .filter((one) => one.function === 'http' && one.result === 'success' && !reached.has(nameOf(one.id, one.attempt)))
    .map(({ id, attempt }) => `Execution ${id} succeeded in attempt ${attempt}, which did not reach the receiver.`);
}

function repeated({ executions, runs }: Evidence): string[] {
  const last = new Map(executions.map(({ id, attempt }) => [id, attempt]));
  return [...groupBy(runs, (run) => nameOf(run.execution, run.attempt)).values()].flatMap((same) => {
    const [{ execution, attempt } = { execution: 0, attempt: 0 }] = same;
    if (same.length > 1) return [`Attempt ${attempt} of execution ${execution} called ${same.length} times.`];
    return attempt <= (last.get(execution) ?? 0)
      ? []
      : [`Attempt ${attempt} of execution ${execution} called, but does not exist.`];
  });
}

function withoutCause(evidence: Evidence, slackMs: number): string[] {
  const failed = new Set(
    evidence.runs.filter(({ status }) => status !== 200).map((run) => nameOf(run.execution, run.attempt)),
  );
  return repeatsOf(evidence)
    .filter(
      ({ before, next }) =>
        !failed.has(nameOf(before.execution_id, before.attempt)) &&
        !hasFault(evidence, before, next, slackMs) &&
        !isLeaseExpired(before),
    )
    .map(
      ({ before, next }) => `Attempt ${next.attempt} of execution ${next.execution_id} has no cause (${before.error}).`,
    );
}

/** A worker that no fault hits renews its leases, unless the machine is too busy. */
export const leasesAreKept: Checker = (evidence) =>
  repeatsOf(evidence)
    .filter(({ before, next }) => isLeaseExpired(before) && !hasFault(evidence, before, next, quietSlackMs))
    .map(
      ({ before }) =>
        `The lease of attempt ${before.attempt} of execution ${before.execution_id} expired without a fault.`,
    );

/** Attempts of callbacks that call the receiver, each with its successor. */
function repeatsOf({ executions, attempts }: Evidence): { before: AttemptRow; next: AttemptRow }[] {
  const called = new Set(executions.filter((one) => one.function === 'http').map(({ id }) => id));
  const ofCalled = attempts.filter(({ execution_id }) => called.has(execution_id));
  return [...groupBy(ofCalled, ({ execution_id }) => execution_id).values()].flatMap((all) => {
    const inOrder = all.toSorted((one, other) => one.attempt - other.attempt);
    return inOrder.slice(1).flatMap((next, index) => {
      const before = inOrder[index];
      return before ? [{ before, next }] : [];
    });
  });
}

const isLeaseExpired = ({ started_at, heartbeat_at, ended_at }: AttemptRow) =>
  ended_at !== null && ended_at - (heartbeat_at ?? started_at) >= leaseSeconds * 1000;

const hitsEveryWorker = /^kill database$|^outage$|^close connections$|^hold callbacks$| link$/;

/** Whether a fault was active between the start of one attempt and the start of the next. */
function hasFault({ faults }: Evidence, before: AttemptRow, next: AttemptRow, slackMs: number): boolean {
  return faults.some(
    (fault, index) =>
      fault.kind !== 'back' &&
      (fault.worker === before.worker || hitsEveryWorker.test(fault.what)) &&
      fault.at <= next.started_at &&
      endOf(fault, faults.slice(index)) >= before.started_at - slackMs,
  );
}

const endOf = ({ what, member }: FaultLine, later: readonly FaultLine[]): number =>
  later.find((line) => line.kind === 'back' && line.what === what && line.member === member)?.at ?? Infinity;
