/** Executions in workers and sweeps: claims, leases, delays, timeouts (rules 2, 3, 7, 11 and 14). */
import { endIfDone } from './end-action.ts';
import { clearResult, setStatus, type Reporter } from './report.ts';
import {
  allExecutions,
  isLatest,
  isResolved,
  isUnclaimed,
  ok,
  rejected,
  conditionInput,
  type Execution,
  type Expected,
  type World,
} from './world.ts';

export const maxAttempts = 5;

/** Whether its job can be claimed now and starts an attempt. */
export const isDue = (execution: Execution): boolean =>
  !execution.delayed && isLatest(execution) && (isUnclaimed(execution) || execution.retryDue);

/** POST /worker/claims without a limit. This also removes outdated jobs. */
export function claim(world: World): Expected {
  const all = allExecutions(world);
  const due = all.filter(isDue);
  for (const one of all) if (one.job === 'may' && !one.delayed) one.job = 'no';
  const started = due.filter((execution) => start(world, execution));
  return ok({ claims: started.map(({ id, attempt }) => `${id}: attempt ${attempt}`).toSorted() });
}

function start(world: World, execution: Execution): boolean {
  execution.job = 'no';
  const verdict = execution.attempt > 0 || evaluateCondition(execution);
  if (verdict === true) {
    clearResult(world, execution);
    if (execution.attempt === 0) setStatus(execution, 'running');
    if (execution.retryDue) world.count('another attempt');
    Object.assign(execution, { attempt: execution.attempt + 1, held: true, retryDue: false });
    return true;
  }
  world.count(
    verdict === false ? 'an execution is skipped by its condition' : 'the condition of a callback cannot be evaluated',
  );
  if (verdict === false) setStatus(execution, 'skipped');
  else setStatus(execution, 'finished', 'failed');
  endIfDone(world, execution);
  return false;
}

/** The condition of a callback sees the entered state, and no callbacks. */
const evaluateCondition = ({ callback, experiment }: Execution) =>
  callback.condition.evaluate({ ...conditionInput(experiment), callbacks: {} });

/** PUT /worker/claims/{execution_id}. */
export function renew(world: World, execution: Execution, by: Reporter): Expected {
  if (by === 'stranger') return rejected(403, 'wrong_secret');
  // A person has no secret that identifies the attempt, and names the latest.
  if (by !== 'person' && by.attempt !== execution.attempt) {
    world.count('a renewal of a stale attempt');
    return rejected(409, 'stale_attempt');
  }
  return ok({ continue: execution.held });
}

/** The worker stops sending heartbeats until its lease expires. */
export function loseLease(world: World, execution: Execution): Expected {
  world.count('a lost lease');
  execution.held = false;
  if (isResolved(execution) || execution.status === 'waiting') return ok();
  execution.failures += 1;
  if (execution.failures < maxAttempts && isLatest(execution)) {
    clearResult(world, execution);
    Object.assign(execution, { retryDue: true, job: 'yes' });
    return ok();
  }
  world.count(execution.failures < maxAttempts ? 'a superseded run is lost' : 'all attempts are lost');
  setStatus(execution, 'finished', 'failed');
  endIfDone(world, execution);
  return ok();
}

/** No lease expires while the database is away. */
export function outage(world: World): Expected {
  if (allExecutions(world).some(({ held }) => held)) world.count('an outage during a run');
  return ok();
}

/** The initial delay ends. */
export function passDelay(execution: Execution): Expected {
  execution.delayed = false;
  if (execution.status === 'created') execution.status = 'queued';
  return ok();
}

/** POST /service/check_timeouts after the timeout of one execution. Time between two attempts does not count. */
export function timeOut(world: World, execution: Execution): Expected {
  const { status, result } = execution;
  if (execution.retryDue) {
    world.count('no timeout between two attempts');
    return ok({ run_timeouts: 0, wait_timeouts: 0 });
  }
  world.count(`a timeout while ${status}`);
  if (result !== 'none') world.count('a timeout replaces a kept result');
  setStatus(execution, 'finished', 'timeout');
  execution.held = false;
  endIfDone(world, execution);
  return ok({ run_timeouts: status === 'running' ? 1 : 0, wait_timeouts: status === 'waiting' ? 1 : 0 });
}

/** The execution is not started for 15 minutes. It still waits, and its experiment has no incident (rules 3 and 16). */
export function neglect(world: World): Expected {
  world.count('a neglected run');
  return ok();
}

/** Its job is deleted. After a minute it gets a new one. */
export function loseJob(world: World): Expected {
  world.count('a lost job');
  return ok();
}
