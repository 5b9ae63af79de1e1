/** (i) How often each rare case was met. A run that missed one that it was made for fails. */
import { groupBy, type Evidence } from './evidence.ts';
import { runsAtEnds } from './good-ends.ts';
import { judgedReturns } from './recovery.ts';

export type RareCase =
  | 'a server is killed'
  | 'a worker is killed'
  | 'a worker is frozen'
  | 'a connection is ended by the database'
  | 'the database is killed'
  | 'the return of the database is judged'
  | 'an outcome is unknown'
  | 'nobody takes a connection'
  | 'an answer is lost after the commit'
  | 'an unknown change was never made'
  | 'a key is replayed'
  | 'a move is refused'
  | 'a lease is lost'
  | 'a stale report is refused'
  | 'a stale run is refused'
  | 'a passing failure is tried again'
  | 'somebody waits for a lock'
  | 'a run is timed out'
  | 'a wait is timed out'
  | 'a checkpoint is signed'
  | 'a server is asked to end'
  | 'a worker is asked to end'
  | 'a worker is asked to end while it runs something'
  | 'the link is slow'
  | 'the link is reset'
  | 'the link is dead';

/** What the logs and rows do not show by themselves. */
export interface Observed {
  lockWaits: number;
  staleRuns: number;
}

export function countRareCases(evidence: Evidence, observed: Observed): Record<RareCase, number> {
  return {
    ...countFaults(evidence),
    ...countAnswers(evidence),
    ...countExecutions(evidence),
    'the return of the database is judged': judgedReturns(evidence).length,
    'a worker is asked to end while it runs something': runsAtEnds(evidence).length,
    'a stale run is refused': observed.staleRuns,
    'somebody waits for a lock': observed.lockWaits,
    'a checkpoint is signed': evidence.history.checkpoints,
  };
}

function countFaults({ faults }: Evidence) {
  const count = (what: string, member = '') =>
    faults.filter(
      ({ kind, what: done, member: whom = '' }) => kind === 'fault' && done === what && whom.startsWith(member),
    ).length;
  return {
    'a server is killed': count('kill', 'server'),
    'a worker is killed': count('kill', 'worker'),
    'a worker is frozen': count('freeze'),
    'a connection is ended by the database': faults.reduce((sum, fault) => sum + (fault.count ?? 0), 0),
    'the database is killed': count('kill database'),
    'a server is asked to end': count('end', 'server'),
    'a worker is asked to end': count('end', 'worker'),
    'the link is slow': count('slow link'),
    'the link is reset': count('reset link'),
    'the link is dead': count('dead link'),
  };
}

function countAnswers({ outcomes, actions }: Evidence) {
  const made = new Set(actions.map(({ freetext }) => freetext));
  const tries = [...groupBy(outcomes, ({ token }) => token)];
  const unknown = tries.filter(([, all]) => all.some(({ outcome, sent }) => outcome === 'unknown' && sent));
  // The answer of the try that made it never came, or the one that was kept would not have been given.
  const isLost = ([, all]: (typeof tries)[number]) => {
    const first = all.find(({ outcome }) => outcome === 'ok');
    return first?.replayed === true;
  };
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  return {
    'an outcome is unknown': unknown.length,
    'nobody takes a connection': outcomes.filter(({ sent }) => !sent).length,
    'an answer is lost after the commit': unknown.filter(
      (one) => isLost(one) || (made.has(one[0]) && one[1].every(({ outcome }) => outcome === 'unknown')),
    ).length,
    'an unknown change was never made': unknown.filter(([token]) => !made.has(token)).length,
    'a key is replayed': outcomes.filter(({ replayed }) => replayed).length,
    'a move is refused': refused.filter(({ code }) => code !== 'stale_attempt').length,
    'a stale report is refused': refused.filter(({ code }) => code === 'stale_attempt').length,
  };
}

function countExecutions({ executions, attempts, runs }: Evidence) {
  const timedOut = executions.filter(({ result }) => result === 'timeout');
  return {
    'a lease is lost': attempts.filter(({ error }) => error?.includes('was not heard of') === true).length,
    'a passing failure is tried again': runs.filter(({ status }) => status === 503).length,
    'a run is timed out': timedOut.filter(({ wait_start }) => wait_start === null).length,
    'a wait is timed out': timedOut.filter(({ wait_start }) => wait_start !== null).length,
  };
}
