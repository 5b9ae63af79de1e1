/** What workers and sweeps do with executions: claims, leases, delays, timeouts (rules 2, 3, 7, 11 and 14). */
import { endIfDone } from './end-action.ts';
import { become, type Reporter } from './report.ts';
import {
  allExecutions,
  incidentsOf,
  isLatest,
  isResolved,
  isUnclaimed,
  ok,
  refused,
  sightOf,
  type Execution,
  type Expected,
  type World,
} from './world.ts';

export const mostAttempts = 5;

/** A job of it can be taken now, and leads to an attempt. */
export const isDue = (execution: Execution): boolean =>
  !execution.delayed && isLatest(execution) && (isUnclaimed(execution) || execution.again);

/** POST /worker/claims, for as many as there are. Jobs of no use are taken, too, and are gone then. */
export function claim(world: World): Expected {
  const all = allExecutions(world);
  const due = all.filter(isDue);
  for (const one of all) if (one.job === 'may' && !one.delayed) one.job = 'no';
  const started = due.filter((execution) => start(world, execution));
  return ok({ claims: started.map(({ id, attempt }) => `${id}: attempt ${attempt}`).toSorted() });
}

function start(world: World, execution: Execution): boolean {
  execution.job = 'no';
  const verdict = execution.attempt > 0 || judge(execution);
  if (verdict === true) {
    if (execution.attempt === 0) become(execution, 'running');
    if (execution.again) world.met('another attempt');
    Object.assign(execution, { attempt: execution.attempt + 1, held: true, again: false });
    return true;
  }
  world.met(verdict === false ? 'skipped by its condition' : 'the condition of a callback cannot be evaluated');
  if (verdict === false) become(execution, 'skipped');
  else become(execution, 'finished', 'failed');
  endIfDone(world, execution);
  return false;
}

/** A callback's own condition sees the state that was entered, and no callbacks. */
const judge = ({ callback, experiment }: Execution) =>
  callback.condition.judge({ ...sightOf(experiment), callbacks: {} });

/** PUT /worker/claims/{execution_id}. */
export function renew(world: World, execution: Execution, by: Reporter): Expected {
  if (by === 'stranger') return refused(403, 'wrong_secret');
  // A person has no secret that says which attempt is meant, and names the latest.
  if (by !== 'person' && by.attempt !== execution.attempt) {
    world.met('a renewal of a stale attempt');
    return refused(409, 'stale_attempt');
  }
  return ok({ continue: execution.held });
}

/** The worker falls silent for longer than its lease. */
export function loseLease(world: World, execution: Execution): Expected {
  world.met('a lost lease');
  execution.held = false;
  if (isResolved(execution) || execution.status === 'waiting') return ok();
  execution.failures += 1;
  if (execution.failures < mostAttempts && isLatest(execution)) {
    Object.assign(execution, { again: true, job: 'yes' });
    return ok();
  }
  world.met(execution.failures < mostAttempts ? 'a superseded run is lost' : 'all attempts are lost');
  become(execution, 'finished', 'failed');
  endIfDone(world, execution);
  return ok();
}

/** The initial delay is over. */
export function passDelay(execution: Execution): Expected {
  execution.delayed = false;
  if (execution.status === 'created') execution.status = 'queued';
  return ok();
}

/** POST /service/check_timeouts, when the time of one execution is over. */
export function timeOut(world: World, execution: Execution): Expected {
  const { status } = execution;
  world.met(`a timeout while ${status}`);
  become(execution, 'finished', 'timeout');
  execution.held = false;
  endIfDone(world, execution);
  return ok({ run_timeouts: status === 'running' ? 1 : 0, wait_timeouts: status === 'waiting' ? 1 : 0 });
}

/** Nobody starts it for 15 minutes (rules 3 and 16). */
export function neglect(world: World, execution: Execution): Expected {
  execution.neglected = true;
  return sweep(world);
}

/** Its job is deleted, and a minute passes: it gets another. */
export function loseJob(world: World): Expected {
  world.met('a lost job');
  return sweep(world);
}

function sweep(world: World): Expected {
  for (const experiment of world.experiments.filter((one) => !incidentsOf(one).includes('unclaimed'))) {
    experiment.unclaimed = experiment.actions
      .flatMap(({ executions }) => executions)
      .find((one) => one.neglected && isUnclaimed(one) && !one.delayed);
    if (experiment.unclaimed) world.met('the incident unclaimed');
  }
  return ok();
}
