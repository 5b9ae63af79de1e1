/**
 * (f) Each execution that succeeded has reached the receiver, each attempt called at most once, and a further attempt has a
 * cause: the receiver failed the one before, or a fault was done to its worker or to the database meanwhile.
 */
import { groupBy, type AttemptRow, type Checker, type Evidence } from './evidence.ts';

export const received: Checker = (evidence) => [...unreached(evidence), ...repeated(evidence), ...causeless(evidence)];

const nameOf = (execution: number, attempt: number) => `${execution}/${attempt}`;

function unreached({ executions, runs }: Evidence): string[] {
  const reached = new Set(runs.filter(({ status }) => status === 200).map((run) => nameOf(run.execution, run.attempt)));
  return executions
    .filter((one) => one.function === 'http' && one.result === 'success' && !reached.has(nameOf(one.id, one.attempt)))
    .map(({ id, attempt }) => `Execution ${id} succeeded in attempt ${attempt}, which never reached the receiver.`);
}

function repeated({ executions, runs }: Evidence): string[] {
  const last = new Map(executions.map(({ id, attempt }) => [id, attempt]));
  return [...groupBy(runs, (run) => nameOf(run.execution, run.attempt)).values()].flatMap((same) => {
    const [{ execution, attempt } = { execution: 0, attempt: 0 }] = same;
    if (same.length > 1) return [`Attempt ${attempt} of execution ${execution} called ${same.length} times.`];
    return attempt <= (last.get(execution) ?? 0)
      ? []
      : [`Attempt ${attempt} of execution ${execution} called, but was never made.`];
  });
}

function causeless(evidence: Evidence): string[] {
  const called = new Set(evidence.executions.filter((one) => one.function === 'http').map(({ id }) => id));
  const failed = new Set(
    evidence.runs.filter(({ status }) => status !== 200).map((run) => nameOf(run.execution, run.attempt)),
  );
  const attemptsOf = groupBy(
    evidence.attempts.filter(({ execution_id }) => called.has(execution_id)),
    ({ execution_id }) => execution_id,
  );
  return [...attemptsOf.values()].flatMap((attempts) => {
    const inOrder = attempts.toSorted((one, other) => one.attempt - other.attempt);
    return inOrder.slice(1).flatMap((next, index) => {
      const before = inOrder[index];
      if (!before || failed.has(nameOf(before.execution_id, before.attempt)) || hasFault(evidence, before, next))
        return [];
      return [`Attempt ${next.attempt} of execution ${next.execution_id} was made without a cause (${before.error}).`];
    });
  });
}

/** Clocks are those of two processes, and a fault is written down before it is done. */
const slackMs = 2000;

const ofTheDatabase = /^kill database$|^end connections$| link$/;

function hasFault({ faults }: Evidence, before: AttemptRow, next: AttemptRow): boolean {
  return faults.some(
    ({ kind, at, what, worker }) =>
      kind !== 'back' &&
      at >= before.started_at - slackMs &&
      at <= next.started_at &&
      (worker === before.worker || ofTheDatabase.test(what)),
  );
}
