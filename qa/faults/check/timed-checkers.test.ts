/** Errors that only the checkers of durations report. */
import { describe, expect, it } from 'vitest';
import { smallRun } from './small-run.ts';
import { failedCheckers, rowOf, type Planted, type Run } from './failed-checkers.ts';

/** Adds a later request, so that the run does not end yet. */
function continueRun(run: Run) {
  run.intents.push({ ...rowOf(run.intents, 'token', 'm-2'), at: 20_000, try: 2 });
  run.outcomes.push({ ...rowOf(run.outcomes, 'token', 'm-2'), at: 20_100, try: 2, replayed: true });
}

/** Adds enough successful requests for a recovery. */
function addResponses(run: Run, at: number) {
  for (let number = 3; number < 33; number++) {
    run.intents.push({ ...rowOf(run.intents, 'token', 'm-2'), at, try: number });
    run.outcomes.push({ ...rowOf(run.outcomes, 'token', 'm-2'), at, try: number, replayed: true });
  }
}

/** Makes the unknown outcome a 503. */
const failWith503 = (run: Run) =>
  Object.assign(rowOf(run.outcomes, 'outcome', 'unknown'), { status: 503, retryAfter: true });

const late: Record<string, Planted[]> = {
  '(h) all work finishes in time': [
    ['an execution that finishes too late', (run) => (rowOf(run.executions, 'id', 22).finished = 3010 + 121_000)],
  ],
  'workers without a fault keep their leases': [
    [
      'a lease that expires without a fault',
      (run) => {
        run.faults = [];
        const [lost, next] = [rowOf(run.attempts, 'attempt', 1), rowOf(run.attempts, 'attempt', 2)];
        Object.assign(lost, { started_at: -20_000, heartbeat_at: -18_000, ended_at: 2000 });
        Object.assign(next, { started_at: 3390 });
      },
    ],
  ],
  'requests fail within 5 s while the database link fails': [
    [
      'a request that waits for a dead link',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'dead link' });
        failWith503(run);
        rowOf(run.outcomes, 'token', 'm-2').at = 9000;
      },
    ],
    [
      'a request that fails late over a slow link',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'slow link' });
        failWith503(run).at = 9000;
      },
    ],
    [
      'a slow request after a slow link has recovered',
      (run) => {
        run.faults.push({ kind: 'fault', at: 800, what: 'slow link' }, { kind: 'back', at: 900, what: 'slow link' });
        failWith503(run);
        addResponses(run, 1000);
        rowOf(run.outcomes, 'token', 'm-2').at = 9000;
      },
    ],
  ],
  'a graceful shutdown fails no request and returns all runs within 10 s': [
    [
      'a request that fails during the shutdown of a server',
      (run) => {
        failWith503(run);
        run.faults.push({ kind: 'fault', at: 900, what: 'shutdown', member: 'server 1' });
      },
    ],
    [
      'a run that a worker returns too late when it shuts down',
      (run) => {
        run.outcomes = run.outcomes.filter(({ outcome }) => outcome !== 'unknown');
        run.faults.push({ kind: 'fault', at: 3400, what: 'shutdown', member: 'worker 1', worker: 'w:2' });
        rowOf(run.attempts, 'worker', 'w:2').ended_at = 14_000;
      },
    ],
  ],
  '99 % of requests complete from 5 s after the database returns': [
    [
      'requests that fail long after the database returned',
      (run) => {
        run.faults.push({ kind: 'back', at: 5000, what: 'kill database' });
        addResponses(run, 5100);
        const request = { token: 'late', move: { experiment: 1, to: 'back' } };
        for (let number = 1; number <= 100; number++) {
          run.intents.push({ kind: 'intent', at: 11_000, try: number, ...request });
          const outcome = { ...rowOf(run.outcomes, 'outcome', number > 2 ? 'rejected' : 'unknown') };
          run.outcomes.push({ ...outcome, at: 11_010, token: 'late', try: number });
        }
        continueRun(run);
      },
    ],
    [
      'clients that still wait long after the database returned',
      (run) => {
        run.faults.push({ kind: 'back', at: 5000, what: 'kill database' });
        addResponses(run, 5100);
        continueRun(run);
      },
    ],
  ],
};

describe.each(Object.entries(late))('the checker "%s"', (name, errors) => {
  it.each(errors)('reports %s, but only if durations are checked', (_what, plant) => {
    const run = smallRun();
    plant(run);
    expect(failedCheckers(run, 'durations')).toContain(name);
    expect(failedCheckers(run)).toEqual([]);
  });
});

describe('all checkers', () => {
  it('accept a slow successful request over a slow link', () => {
    const run = smallRun();
    run.faults.push({ kind: 'fault', at: 900, what: 'slow link' });
    failWith503(run);
    rowOf(run.outcomes, 'token', 'm-2').at = 9000;
    expect(failedCheckers(run, 'durations')).toEqual([]);
  });
});
