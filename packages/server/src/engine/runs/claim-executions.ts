/**
 * Starts attempts for a pulling worker. Most start with the statement that takes their jobs. The engine starts the others one by one:
 * those with a condition, retries that have to wait for their turn, and those whose experiment or workflow was locked.
 */
import type { TakingStatement } from '../../jobs/fair-queue.ts';
import { takeFairly, type Taken, type TakenJob, type Taking } from '../../jobs/take-fairly.ts';
import { takeAndStartClaims, type ClaimedJob, type ClaimStarts } from '../../store/runs/claim-starts.ts';
import { problemFromDatabase } from '../../database/problem-from-database.ts';
import { orFailure, type EngineContext } from '../experiments/optimistic-lock.ts';
import { hashSecret, newSecret } from './secrets.ts';
import { startAttempts, type RunningAttempt } from './start-attempts.ts';

/**
 * `takeWith` takes jobs with the given statement. If a later step fails, returns the attempts that have started: without a worker, they
 * would run again when their lease expires.
 */
export async function claimExecutions(
  context: EngineContext,
  worker: string,
  takeWith: (statement: TakingStatement) => Promise<void>,
): Promise<RunningAttempt[]> {
  const running: RunningAttempt[] = [];
  const others: number[] = [];
  const statement: TakingStatement = async (taking) => {
    const secrets = Array.from({ length: taking.most }, newSecret);
    const taken = await takeAndTryToStart(context, taking, { worker, secretHashes: secrets.map(hashSecret) });
    for (const job of taken.jobs) {
      const started = 'place' in job ? startedOf(job, secrets) : undefined;
      if (started) running.push(started);
      else others.push(job.executionId);
    }
    return taken;
  };
  const failure = await takeWith(statement).catch((error: unknown) => ({ error }));
  // Jobs that were taken before a failure are started, too. Otherwise, nobody would take them for a minute.
  if (others.length > 0) running.push(...(await startOthers(context, others, worker)));
  if (failure && running.length === 0) throw failure.error;
  if (failure) context.onError(failure.error);
  return running.toSorted((one, other) => one.execution.id - other.execution.id);
}

/** If one of the attempts cannot be started, the jobs are only taken, so that it does not keep the others from starting. */
async function takeAndTryToStart(
  { db, onError }: EngineContext,
  taking: Taking,
  starts: ClaimStarts,
): Promise<Taken<TakenJob | ClaimedJob>> {
  try {
    return await takeAndStartClaims(db, taking, starts);
  } catch (error) {
    if (isOutage(error)) throw error;
    onError(error);
    return takeFairly(db, taking);
  }
}

const isOutage = (error: unknown) => problemFromDatabase(error)?.code === 'database_unavailable';

/** One by one if they cannot be started together, for the same reason. Those that fail get a job from the sweep for missing jobs. */
async function startOthers(context: EngineContext, ids: readonly number[], worker: string): Promise<RunningAttempt[]> {
  const together = await orFailure(context, startAttempts(context, ids, worker));
  if (typeof together !== 'string') return together;
  const started: RunningAttempt[] = [];
  for (const id of together === 'unavailable' ? [] : ids) {
    const alone = await orFailure(context, startAttempts(context, [id], worker));
    if (alone === 'unavailable') break;
    if (typeof alone !== 'string') started.push(...alone);
  }
  return started;
}

function startedOf(job: ClaimedJob, secrets: readonly string[]): RunningAttempt | undefined {
  const { startedAttempt: attempt, place, externalSystems } = job;
  const secret = secrets[place - 1];
  return attempt === null || secret === undefined ? undefined : { execution: job, attempt, secret, externalSystems };
}
