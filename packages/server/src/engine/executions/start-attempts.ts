/**
 * Starts the attempts that jobs ask for (rules 2, 11 and 14). A callback with a condition is judged now: if it does not
 * hold the execution is skipped, if it cannot be evaluated it fails, and both may move the experiment on. What needs no
 * attempt any more is passed over; its job is done.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as attempts from '../../store/attempts.ts';
import { evaluateCondition } from '../conditions/evaluate-condition.ts';
import { readCondition } from '../conditions/parse-condition.ts';
import { isResolved } from '../change-state.ts';
import { conditionInputs } from '../explain-transitions.ts';
import { settleExecution, type Moving } from '../settle.ts';
import { changeExecution, type SeenExecution } from './resolve-execution.ts';

/** An attempt that is ours to run. */
export interface RunningAttempt {
  execution: attempts.DueExecution;
  attempt: number;
  /** Known to whoever runs it, and to nobody else: only its hash is kept. */
  secret: string;
  deadline: string | null;
}

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const newSecret = (executionId: number) => `mpe_${executionId}_${randomBytes(32).toString('base64url')}`;

export async function startAttempts(
  moving: Moving,
  executionIds: readonly number[],
  worker: string,
): Promise<RunningAttempt[]> {
  const due = await attempts.listDueExecutions(moving.db, executionIds);
  const judged = await Promise.all(due.map((execution) => judge(moving, execution)));
  const passedOver = due.filter((_execution, index) => judged[index] === undefined);
  await attempts.dropJobs(moving.db, passedOver);
  const wanted = judged.flatMap((start) => (start ? [{ ...start, secret: newSecret(start.execution.id) }] : []));
  const started = await attempts.startAttempts(
    moving.db,
    wanted.map(({ execution, version, secret }) => ({
      executionId: execution.id,
      experimentId: execution.experiment_id,
      attempt: execution.attempt,
      version,
      secretHash: hashSecret(secret),
    })),
    worker,
  );
  const byId = new Map(wanted.map((start) => [start.execution.id, start]));
  return started.flatMap(({ id, attempt, deadline }) => {
    const start = byId.get(id);
    return start ? [{ execution: start.execution, attempt, secret: start.secret, deadline }] : [];
  });
}

interface Start {
  execution: attempts.DueExecution;
  /** The start counts only for this version of the experiment, by which the condition was judged. */
  version: number | null;
}

/** Undefined where nothing is to be started. */
async function judge(moving: Moving, execution: attempts.DueExecution): Promise<Start | undefined> {
  if (!execution.startable) return undefined;
  // The condition was judged when the first attempt started.
  if (execution.condition === '' || execution.attempt > 0) return { execution, version: null };
  const judged = await settleExecution(moving, execution.id, (seen) => judgeCondition(moving, seen));
  return judged.version === undefined ? undefined : { execution, version: judged.version };
}

async function judgeCondition(moving: Moving, seen: SeenExecution) {
  const { execution, inputs } = seen;
  if (isResolved(execution)) return { version: undefined };
  const { condition } = readCondition(execution.condition, { kind: 'callback' });
  const verdict = condition
    ? evaluateCondition(condition, { ...conditionInputs(inputs), callbacks: {} })
    : { holds: false, decided: false, reason: 'Its condition cannot be read: import the workflow again.' };
  if (verdict.holds) return { version: inputs.version };
  const logEnds = `Not started: ${verdict.reason}\n`;
  const change = verdict.decided
    ? { id: execution.id, status: 'skipped', result: 'none', logEnds }
    : { id: execution.id, status: 'finished', result: 'failed', lastError: verdict.reason, logEnds };
  const written = await changeExecution(moving, seen, change);
  return written && { version: undefined };
}
