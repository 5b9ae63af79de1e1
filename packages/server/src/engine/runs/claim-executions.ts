/**
 * Starts attempts for a pulling worker. Most start with the statement that takes their jobs. The engine starts the others: those with a
 * condition, retries that have to wait for their turn, and those whose experiment or workflow was locked.
 */
import type { TakeSome } from '../../jobs/fair-queue.ts';
import { takeAndStartClaims, type ClaimedJob } from '../../store/runs/claim-starts.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import { hashSecret, newSecret } from './secrets.ts';
import { startAttempts, type RunningAttempt } from './start-attempts.ts';

/**
 * `takeAll` takes jobs with the given function. Whatever fails, the attempts that have started are returned: without a worker, they would
 * run again when their lease expires.
 */
export async function claimExecutions(
  context: EngineContext,
  worker: string,
  takeAll: (take: TakeSome) => Promise<void>,
): Promise<RunningAttempt[]> {
  const running: RunningAttempt[] = [];
  const others: number[] = [];
  const take: TakeSome = async (taking) => {
    const secrets = Array.from({ length: taking.most }, newSecret);
    const starts = { worker, secretHashes: secrets.map(hashSecret) };
    const taken = await takeAndStartClaims(context.db, taking, starts);
    for (const job of taken.jobs) {
      const started = startedOf(job, secrets);
      if (started) running.push(started);
      else others.push(job.executionId);
    }
    return taken;
  };
  try {
    await takeAll(take);
    if (others.length > 0) running.push(...(await startAttempts(context, others, worker)));
  } catch (error) {
    if (running.length === 0) throw error;
    context.onError(error);
  }
  return running.toSorted((one, other) => one.execution.id - other.execution.id);
}

function startedOf(job: ClaimedJob, secrets: readonly string[]): RunningAttempt | undefined {
  const { startedAttempt: attempt, place, externalSystems } = job;
  const secret = secrets[place - 1];
  return attempt === null || secret === undefined ? undefined : { execution: job, attempt, secret, externalSystems };
}
