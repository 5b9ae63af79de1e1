/**
 * Starts attempts for fetched jobs. The condition of a callback is evaluated now: if it does not hold, the execution is skipped,
 * and if it cannot be evaluated, the execution fails. Both can move the experiment. Jobs of executions that need no attempt are
 * deleted.
 */
import { asCause } from '../../causes/find-cause.ts';
import * as attempts from '../../store/runs/attempt-starts.ts';
import { dropJobs } from '../../store/runs/attempts.ts';
import { enqueueJobs } from '../../store/runs/sweeps.ts';
import { evaluateCondition, fieldReadsOf, readCondition } from '@milepost/definitions';
import type { TraceContext } from '../../tracing/span.ts';
import { conditionInputs } from '../experiments/explain-transitions.ts';
import {
  orFailure,
  withExecution,
  type EngineContext,
  type ExecutionSnapshot,
} from '../experiments/optimistic-lock.ts';
import { withValues } from '../experiments/read-values.ts';
import { changeExecution } from './resolve-execution.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** An attempt that this process started. */
export interface RunningAttempt {
  execution: attempts.DueExecution;
  attempt: number;
  /** Only the worker has the secret. The database stores its hash. */
  secret: string;
  /** The URL of each external system by name. */
  externalSystems: Readonly<Record<string, string>>;
  /** Undefined if traces are off. */
  trace?: TraceContext | undefined;
}

/** Where executions belong in traces, by their ids. */
export type Traces = ReadonlyMap<number, TraceContext | undefined>;
const noTraces: Traces = new Map();

/**
 * Executions of one experiment that are evaluated together can conflict with each other once. Further conflicts come from others.
 */
const maxRounds = 3;
const postponeSeconds = 1;

/**
 * Executions whose experiment or workflow is locked are postponed by a second, and retries beyond the limit for their host until it
 * is their turn. Whatever fails, the attempts that have started are returned: without a worker, they would run again when their
 * lease expires. The others then get a job from the sweep for missing jobs.
 */
export async function startAttempts(
  context: EngineContext,
  executionIds: readonly number[],
  worker: string,
  retriesPerSecond?: number,
  traces = noTraces,
): Promise<RunningAttempt[]> {
  const running: RunningAttempt[] = [];
  let remaining = executionIds;
  try {
    for (let round = 0; round < maxRounds && remaining.length > 0; round++) {
      const { started, conflicting, others } = await startOnce(context, remaining, {
        worker,
        retriesPerSecond,
        traces,
      });
      running.push(...started);
      remaining = conflicting;
      await rescheduleJobs(context, others);
    }
    await enqueueJobs(context.db, remaining, postponeSeconds);
  } catch (error) {
    if (running.length === 0) throw error;
    context.onError(error);
  }
  return running;
}

async function startOnce(
  context: EngineContext,
  executionIds: readonly number[],
  { worker, retriesPerSecond, traces }: { worker: string; retriesPerSecond: number | undefined; traces: Traces },
) {
  const due = await attempts.listDueExecutions(context.db, executionIds);
  const early = due.filter(({ startable, due_in }) => startable && due_in > 0);
  const now = due.filter((execution) => !early.includes(execution));
  // A locked workflow is not waited for, because the other executions would wait, too.
  const impatient = { ...context, locks: undefined };
  const evaluated = await Promise.all(
    now.map((execution) => orFailure(context, evaluate({ ...impatient, trace: traces.get(execution.id) }, execution))),
  );
  const unneeded = now.filter((_execution, index) => evaluated[index] === 'no attempt needed');
  const wanted = evaluated.flatMap((start) => (typeof start === 'string' ? [] : [{ ...start, secret: newSecret() }]));
  const { db } = context;
  const written = await attempts.writeAttemptStarts(db, wanted.map(toStart), worker, retriesPerSecond);
  const { externalSystems } = written;
  const attemptOf = new Map(written.attempts.map(({ id, attempt }) => [id, attempt]));
  const started = wanted.flatMap(({ execution, secret }) => {
    const attempt = attemptOf.get(execution.id);
    return attempt == null ? [] : [{ execution, attempt, secret, externalSystems, trace: traces.get(execution.id) }];
  });
  const conflicting = now.filter(({ id }, index) => {
    const outcome = evaluated[index];
    return outcome !== 'no attempt needed' && outcome !== 'failed' && !attemptOf.has(id);
  });
  return { started, conflicting: conflicting.map(({ id }) => id), others: { early, unneeded } };
}

type Due = readonly attempts.DueExecution[];

async function rescheduleJobs({ db }: EngineContext, { early, unneeded }: { early: Due; unneeded: Due }) {
  for (const { id, due_in } of early) await enqueueJobs(db, [id], due_in);
  await dropJobs(db, unneeded);
}

const toStart = ({ execution, version, secret }: Start & { secret: string }): attempts.AttemptStart => ({
  executionId: execution.id,
  experimentId: execution.experiment_id,
  attempt: execution.attempt,
  version,
  retryHost: execution.retry_host,
  secretHash: hashSecret(secret),
});

interface Start {
  execution: attempts.DueExecution;
  /** The version of the experiment with which the condition was evaluated. The attempt starts only if it is unchanged. */
  version: number | null;
}

async function evaluate(
  context: EngineContext,
  execution: attempts.DueExecution,
): Promise<Start | 'no attempt needed'> {
  if (!execution.startable) return 'no attempt needed';
  // The condition is evaluated only before the first attempt.
  if (execution.condition === '' || execution.attempt > 0) return { execution, version: null };
  const { version } = await withExecution(context, execution.id, (snapshot) => applyCondition(context, snapshot));
  return version === undefined ? 'no attempt needed' : { execution, version };
}

async function applyCondition(context: EngineContext, read: ExecutionSnapshot) {
  // A user may have changed the status since the job was fetched.
  if (read.execution.status !== 'created' && read.execution.status !== 'queued') return { version: undefined };
  const { condition } = readCondition(read.execution.condition, { kind: 'callback' });
  // Callbacks of the same state have no results yet.
  const reading = { valueReads: () => [], fieldReads: () => fieldReadsOf(condition) };
  const snapshot = await withValues(context, read, { transitions: [reading] });
  if (!snapshot) return undefined;
  const { execution, inputs } = snapshot;
  const verdict = condition
    ? evaluateCondition(condition, { ...conditionInputs(inputs), callbacks: {} })
    : { holds: false, decided: false, reason: 'Its condition cannot be read: import the workflow again.' };
  if (verdict.holds) return { version: inputs.version };
  const appendToLog = `Not started: ${verdict.reason}\n`;
  const change = verdict.decided
    ? { id: execution.id, status: 'skipped', result: 'none', appendToLog, leavesQueue: true }
    : {
        id: execution.id,
        status: 'finished',
        result: 'failed',
        lastError: verdict.reason,
        cause: asCause(verdict.reason),
        appendToLog,
        leavesQueue: true,
      };
  const written = await changeExecution(context, snapshot, change);
  return written && { version: undefined };
}
