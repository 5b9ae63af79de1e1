/**
 * Starts the attempts that jobs ask for (rules 2, 11 and 14). A callback with a condition is judged now: if it does not
 * hold the execution is skipped, if it cannot be evaluated it fails, and both may move the experiment on. What needs no
 * attempt any more is passed over; its job is done.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as attempts from '../../store/attempts.ts';
import { giveJobs } from '../../store/sweeps.ts';
import { evaluateCondition } from '../conditions/evaluate-condition.ts';
import { readCondition } from '../conditions/parse-condition.ts';
import { conditionInputs } from '../explain-transitions.ts';
import { settleExecution, unlessBusy, type Moving } from '../settle.ts';
import { changeExecution, type SeenExecution } from './resolve-execution.ts';

/** An attempt that is ours to run. */
export interface RunningAttempt {
  execution: attempts.DueExecution;
  attempt: number;
  /** Known to whoever runs it, and to nobody else: only its hash is kept. */
  secret: string;
}

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const newSecret = (executionId: number) => `mpe_${executionId}_${randomBytes(32).toString('base64url')}`;

/** Siblings whose conditions are judged together may overtake each other once; more is somebody else's doing. */
const mostRounds = 3;
const putOffSeconds = 1;

/** What could not be started although it should be (somebody holds its experiment) is put off by a second. */
export async function startAttempts(
  moving: Moving,
  executionIds: readonly number[],
  worker: string,
): Promise<RunningAttempt[]> {
  const running: RunningAttempt[] = [];
  let left = executionIds;
  for (let round = 0; round < mostRounds && left.length > 0; round++) {
    const { started, overtaken } = await startOnce(moving, left, worker);
    running.push(...started);
    left = overtaken;
  }
  await giveJobs(moving.db, left, putOffSeconds);
  return running;
}

async function startOnce(moving: Moving, executionIds: readonly number[], worker: string) {
  const due = await attempts.listDueExecutions(moving.db, executionIds);
  const early = due.filter(({ startable, due_in }) => startable && due_in > 0);
  for (const { id, due_in } of early) await giveJobs(moving.db, [id], due_in);
  const now = due.filter((execution) => !early.includes(execution));
  const judged = await Promise.all(now.map((execution) => judgeOrLeave(moving, execution)));
  await attempts.dropJobs(
    moving.db,
    now.filter((_execution, index) => judged[index] === 'needs none'),
  );
  const wanted = judged.flatMap((start) =>
    typeof start === 'string' ? [] : [{ ...start, secret: newSecret(start.execution.id) }],
  );
  const ids = await attempts.startAttempts(moving.db, wanted.map(toStart), worker);
  const attemptOf = new Map(ids.map(({ id, attempt }) => [id, attempt]));
  const started = wanted.flatMap(({ execution, secret }) => {
    const attempt = attemptOf.get(execution.id);
    return attempt === undefined ? [] : [{ execution, attempt, secret }];
  });
  const overtaken = now.filter(({ id }, index) => judged[index] !== 'needs none' && !attemptOf.has(id));
  return { started, overtaken: overtaken.map(({ id }) => id) };
}

const toStart = ({ execution, version, secret }: Start & { secret: string }): attempts.AttemptStart => ({
  executionId: execution.id,
  experimentId: execution.experiment_id,
  attempt: execution.attempt,
  version,
  secretHash: hashSecret(secret),
});

/** One that is held by an import must not hold up the others. */
const judgeOrLeave = async (moving: Moving, execution: attempts.DueExecution): Promise<Start | 'needs none' | 'busy'> =>
  (await unlessBusy(judge(moving, execution))) ?? 'busy';

interface Start {
  execution: attempts.DueExecution;
  /** The start counts only for this version of the experiment, by which the condition was judged. */
  version: number | null;
}

async function judge(moving: Moving, execution: attempts.DueExecution): Promise<Start | 'needs none'> {
  if (!execution.startable) return 'needs none';
  // The condition was judged when the first attempt started.
  if (execution.condition === '' || execution.attempt > 0) return { execution, version: null };
  const judged = await settleExecution(moving, execution.id, (seen) => judgeCondition(moving, seen));
  return judged.version === undefined ? 'needs none' : { execution, version: judged.version };
}

async function judgeCondition(moving: Moving, seen: SeenExecution) {
  const { execution, inputs } = seen;
  // Somebody may have decided by hand since the job was taken.
  if (execution.status !== 'created' && execution.status !== 'queued') return { version: undefined };
  const { condition } = readCondition(execution.condition, { kind: 'callback' });
  const verdict = condition
    ? evaluateCondition(condition, { ...conditionInputs(inputs), callbacks: {} })
    : { holds: false, decided: false, reason: 'Its condition cannot be read: import the workflow again.' };
  if (verdict.holds) return { version: inputs.version };
  const logEnds = `Not started: ${verdict.reason}\n`;
  const change = verdict.decided
    ? { id: execution.id, status: 'skipped', result: 'none', logEnds, leavesQueue: true }
    : { id: execution.id, status: 'finished', result: 'failed', lastError: verdict.reason, logEnds, leavesQueue: true };
  const written = await changeExecution(moving, seen, change);
  return written && { version: undefined };
}
