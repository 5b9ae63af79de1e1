/** All checkers pass on a correct run, and each fails if an error of its kind is planted. */
import { describe, expect, it } from 'vitest';
import { countRareCases } from './rare-cases.ts';
import { smallRun } from './small-run.ts';
import { failedCheckers, rowOf, without, type Planted } from './failed-checkers.ts';

const planted: Record<string, Planted[]> = {
  '(a) each acknowledged change exists exactly once': [
    ['a lost acknowledged move', (run) => (rowOf(run.actions, 'freetext', 'm-2').freetext = '')],
    [
      'a move that was made twice',
      (run) => run.actions.push({ ...rowOf(run.actions, 'freetext', 'm-3'), id: 17, sequence: 7 }),
    ],
    ['a rejected move that was made', (run) => (rowOf(run.actions, 'freetext', 'm-3').freetext = 'm-4')],
    ['a move without a history entry', (run) => (run.entries = without(run.entries, 'action_id', 12))],
    ['a move with two history entries', (run) => run.entries.push({ ...rowOf(run.entries, 'action_id', 12), id: 107 })],
    [
      'a move recorded with another destination',
      (run) => (rowOf(run.actions, 'freetext', 'm-2').destination = 'pulled'),
    ],
    ['a lost acknowledged report', (run) => (rowOf(run.executions, 'id', 22).token = null)],
    ['a rejected report that was recorded', (run) => (rowOf(run.executions, 'id', 22).token = 'p-2')],
    [
      'a repeat with a different response',
      (run) => {
        run.outcomes.push({ ...rowOf(run.outcomes, 'replayed', true), try: 3, digest: 'other' });
      },
    ],
    [
      'a rejected repeat of a change that was made',
      (run) => {
        Object.assign(rowOf(run.outcomes, 'replayed', true), { outcome: 'rejected', status: 409, replayed: false });
      },
    ],
  ],
  '(b) no change exists that was not intended': [
    ['an experiment that no client created', (run) => (run.created = [])],
    ['an experiment that no longer exists', (run) => run.created.push({ kind: 'created', experiment: 2 })],
    ['a transition that the engine cannot take', (run) => (rowOf(run.actions, 'id', 14).destination = 'back')],
    ['a move that no client requested', (run) => (rowOf(run.actions, 'id', 14).actor_kind = 'user')],
    [
      'a move that a client requested for another experiment',
      (run) => (rowOf(run.intents, 'token', 'm-3').move = { experiment: 2, to: 'pulled' }),
    ],
    ['a move by the engine without a callback', (run) => (run.executions = without(run.executions, 'id', 21))],
    ['an entry without an action', (run) => (rowOf(run.entries, 'action_id', 16).action_id = 99)],
  ],
  '(c) the changes of each experiment form one sequence': [
    ['a gap in the sequence', (run) => (rowOf(run.actions, 'id', 16).sequence = 7)],
    ['a fork in the sequence', (run) => (rowOf(run.actions, 'id', 15).source = 'back')],
    ['a state that the actions do not lead to', (run) => (rowOf(run.experiments, 'id', 1).state = 'back')],
    ['a wrong number of actions', (run) => (rowOf(run.experiments, 'id', 1).action_sequence = 5)],
    ['a fork in the history', (run) => (rowOf(run.entries, 'action_id', 13).from = 'ready')],
  ],
  '(d) each callback of a move has one execution': [
    ['a callback without an execution', (run) => (run.executions = without(run.executions, 'id', 22))],
    ['two executions of one callback', (run) => run.executions.push({ ...rowOf(run.executions, 'id', 22), id: 23 })],
    [
      'an execution without an action',
      (run) => run.executions.push({ ...rowOf(run.executions, 'id', 22), id: 23, action_id: 99 }),
    ],
  ],
  '(e) statuses are valid and times in order': [
    ['an unknown status', (run) => (rowOf(run.executions, 'id', 22).status = 'done')],
    [
      'a skipped execution with a result',
      (run) => Object.assign(rowOf(run.executions, 'id', 22), { status: 'skipped' }),
    ],
    ['an execution that ends before it starts', (run) => (rowOf(run.executions, 'id', 21).finished = 3005)],
    ['an action that ends before it starts', (run) => (rowOf(run.actions, 'id', 12).end_time = 1)],
    ['an attempt that ends before it starts', (run) => (rowOf(run.attempts, 'attempt', 2).ended_at = 1)],
  ],
  '(f) successful callbacks reached the receiver, and further attempts have a cause': [
    ['a successful callback that did not reach the receiver', (run) => (run.runs = without(run.runs, 'attempt', 2))],
    ['an attempt that called the receiver twice', (run) => run.runs.push({ ...rowOf(run.runs, 'attempt', 2) })],
    [
      'a call by an attempt that does not exist',
      (run) => run.runs.push({ ...rowOf(run.runs, 'attempt', 2), attempt: 3 }),
    ],
    ['a further attempt without a fault', (run) => (run.faults = [])],
    ['a further attempt after a fault of another worker', (run) => (rowOf(run.faults, 'kind', 'fault').worker = 'w:9')],
  ],
  '(g) the history verifies': [
    [
      'a rewritten history entry',
      (run) => (run.history = { ...run.history, valid: false, messages: ['Entry 2 of experiment 1 was changed.'] }),
    ],
  ],
  '(h) all work finishes': [
    [
      'an open execution',
      (run) =>
        Object.assign(rowOf(run.executions, 'id', 22), {
          status: 'running',
          result: 'none',
          finished: null,
          token: 'p-1',
        }),
    ],
    ['an open action', (run) => (rowOf(run.actions, 'id', 16).end_time = null)],
  ],
  'failures are 503 with Retry-After, and no process exits by itself': [
    ['a 500 response', (run) => (rowOf(run.outcomes, 'outcome', 'unknown').status = 500)],
    ['a 503 response without Retry-After', (run) => (rowOf(run.outcomes, 'outcome', 'unknown').status = 503)],
    [
      'a process that exits by itself',
      (run) => run.faults.push({ kind: 'exit', at: 1, what: 'exited by itself with code 1' }),
    ],
  ],
  'requests succeed again after the database returns': [
    [
      'that no request succeeds after the database returns',
      (run) => {
        run.faults.push({ kind: 'back', at: 5000, what: 'kill database' });
      },
    ],
  ],
  'no running callback starts again after an outage': [
    [
      'a long run with a second attempt',
      (run) => Object.assign(rowOf(run.executions, 'id', 22), { function: 'command', attempt: 2 }),
    ],
    [
      'a long run that failed',
      (run) => Object.assign(rowOf(run.executions, 'id', 22), { function: 'command', result: 'failed' }),
    ],
  ],
  'every request gets a response while the database link fails': [
    [
      'a request without an outcome',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'dead link' });
        run.outcomes = without(run.outcomes, 'token', 'm-2');
      },
    ],
    [
      'a request without a response',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'dead link' });
      },
    ],
  ],
  'a graceful shutdown leaves no request without a response and returns all runs': [
    [
      'a request without a response during the shutdown of a server',
      (run) => run.faults.push({ kind: 'fault', at: 900, what: 'shutdown', member: 'server 1' }),
    ],
    [
      'a run that a worker does not return when it shuts down',
      (run) => {
        run.outcomes = run.outcomes.filter(({ outcome }) => outcome !== 'unknown');
        run.faults.push({ kind: 'fault', at: 3400, what: 'shutdown', member: 'worker 1', worker: 'w:2' });
        rowOf(run.attempts, 'worker', 'w:2').ended_at = null;
      },
    ],
  ],
};

describe.each(Object.entries(planted))('the checker "%s"', (name, errors) => {
  it.each(errors)('reports %s', (_what, plant) => {
    const run = smallRun();
    plant(run);
    expect(failedCheckers(run)).toContain(name);
  });
});

describe('all checkers', () => {
  it.each(['events', 'durations'] as const)('accept a correct run if %s are checked', (checked) => {
    expect(failedCheckers(smallRun(), checked)).toEqual([]);
  });

  it('accept a further attempt after the receiver failed', () => {
    const run = smallRun();
    run.faults = [];
    rowOf(run.runs, 'attempt', 1).status = 503;
    expect(failedCheckers(run)).toEqual([]);
  });

  it('accept a run that a worker returns when it shuts down', () => {
    const run = smallRun();
    run.intents = run.intents.filter(({ try: number }) => number === 1);
    run.outcomes = run.outcomes.filter(({ outcome }) => outcome !== 'unknown');
    Object.assign(rowOf(run.outcomes, 'replayed', true), { try: 1, replayed: false });
    run.faults = [{ kind: 'fault', at: 3100, what: 'shutdown', member: 'worker 1', worker: 'w:1' }];
    expect(failedCheckers(run)).toEqual([]);
  });
});

describe('countRareCases', () => {
  it('counts each rare case of a run', () => {
    expect(countRareCases(smallRun(), { lockWaits: 3, staleRuns: 2 })).toMatchObject({
      'worker killed': 1,
      'server killed': 0,
      'outcome unknown': 1,
      'response lost after commit': 1,
      'idempotency key replayed': 1,
      'move rejected': 1,
      'stale report rejected': 1,
      'lease lost': 1,
      'lock wait': 3,
      'stale run rejected': 2,
    });
  });
});
