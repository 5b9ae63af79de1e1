/** Counts the rare cases of a run. A run without a required case fails. */
import { groupBy, type Evidence } from './evidence.ts';
import { runsAtShutdowns } from './shutdowns.ts';
import { evaluatedRecoveries } from './recovery.ts';

export type RareCase =
  | 'server killed'
  | 'worker killed'
  | 'worker frozen'
  | 'connection closed by the database'
  | 'database killed'
  | 'database outage'
  | 'database recovery evaluated'
  | 'outcome unknown'
  | 'connection not accepted'
  | 'response lost after commit'
  | 'unknown change never made'
  | 'idempotency key replayed'
  | 'move rejected'
  | 'lease lost'
  | 'stale report rejected'
  | 'stale run rejected'
  | 'temporary failure retried'
  | 'lock wait'
  | 'run timed out'
  | 'wait timed out'
  | 'checkpoint signed'
  | 'server shut down'
  | 'worker shut down'
  | 'worker shut down during a run'
  | 'link slow'
  | 'link reset'
  | 'link dead';

/** Counts that logs and rows do not contain. */
export interface Observed {
  lockWaits: number;
  staleRuns: number;
}

export function countRareCases(evidence: Evidence, observed: Observed): Record<RareCase, number> {
  return {
    ...countFaults(evidence),
    ...countOutcomes(evidence),
    ...countExecutions(evidence),
    'database recovery evaluated': evaluatedRecoveries(evidence).length,
    'worker shut down during a run': runsAtShutdowns(evidence).length,
    'stale run rejected': observed.staleRuns,
    'lock wait': observed.lockWaits,
    'checkpoint signed': evidence.history.checkpoints,
  };
}

function countFaults({ faults }: Evidence) {
  const count = (what: string, member = '') =>
    faults.filter(
      ({ kind, what: fault, member: hit = '' }) => kind === 'fault' && fault === what && hit.startsWith(member),
    ).length;
  return {
    'server killed': count('kill', 'server'),
    'worker killed': count('kill', 'worker'),
    'worker frozen': count('freeze'),
    'connection closed by the database': faults.reduce((sum, fault) => sum + (fault.count ?? 0), 0),
    'database killed': count('kill database'),
    'database outage': count('outage'),
    'server shut down': count('shutdown', 'server'),
    'worker shut down': count('shutdown', 'worker'),
    'link slow': count('slow link'),
    'link reset': count('reset link'),
    'link dead': count('dead link'),
  };
}

function countOutcomes({ outcomes, actions }: Evidence) {
  const made = new Set(actions.map(({ freetext }) => freetext));
  const tries = [...groupBy(outcomes, ({ token }) => token)];
  const unknown = tries.filter(([, all]) => all.some(({ outcome, sent }) => outcome === 'unknown' && sent));
  // If the first response is a replay, the response of the attempt that made the change was lost.
  const isLost = ([, all]: (typeof tries)[number]) => {
    const first = all.find(({ outcome }) => outcome === 'ok');
    return first?.replayed === true;
  };
  const rejected = outcomes.filter(({ outcome }) => outcome === 'rejected');
  return {
    'outcome unknown': unknown.length,
    'connection not accepted': outcomes.filter(({ sent }) => !sent).length,
    'response lost after commit': unknown.filter(
      (one) => isLost(one) || (made.has(one[0]) && one[1].every(({ outcome }) => outcome === 'unknown')),
    ).length,
    'unknown change never made': unknown.filter(([token]) => !made.has(token)).length,
    'idempotency key replayed': outcomes.filter(({ replayed }) => replayed).length,
    'move rejected': rejected.filter(({ code }) => code !== 'stale_attempt').length,
    'stale report rejected': rejected.filter(({ code }) => code === 'stale_attempt').length,
  };
}

function countExecutions({ executions, attempts, runs }: Evidence) {
  const timedOut = executions.filter(({ result }) => result === 'timeout');
  return {
    'lease lost': attempts.filter(({ error }) => error?.includes('stopped sending heartbeats') === true).length,
    'temporary failure retried': runs.filter(({ status }) => status === 503).length,
    'run timed out': timedOut.filter(({ wait_start }) => wait_start === null).length,
    'wait timed out': timedOut.filter(({ wait_start }) => wait_start !== null).length,
  };
}
