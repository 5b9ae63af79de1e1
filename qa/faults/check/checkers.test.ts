/** Every checker is green on a run that went well, and red on what it is there for, planted into that run. */
import { describe, expect, it } from 'vitest';
import { countRareCases } from './rare-cases.ts';
import { smallRun } from './small-run.ts';
import { red, rowOf, without, type Planted } from './spoil.ts';

it.each(['events', 'seconds'] as const)('all that judge by %s are green on a run that went well', (judging) => {
  expect(red(smallRun(), judging)).toEqual([]);
});

const planted: Record<string, Planted[]> = {
  '(a)': [
    ['an acknowledged move is lost', (run) => (rowOf(run.actions, 'freetext', 'm-2').freetext = '')],
    [
      'a move is made twice',
      (run) => run.actions.push({ ...rowOf(run.actions, 'freetext', 'm-3'), id: 17, sequence: 7 }),
    ],
    ['a refused move is made', (run) => (rowOf(run.actions, 'freetext', 'm-3').freetext = 'm-4')],
    ['a move has no entry', (run) => (run.entries = without(run.entries, 'action_id', 12))],
    ['a move has two entries', (run) => run.entries.push({ ...rowOf(run.entries, 'action_id', 12), id: 107 })],
    ['a move became another', (run) => (rowOf(run.actions, 'freetext', 'm-2').destination = 'pulled')],
    ['an acknowledged report is lost', (run) => (rowOf(run.executions, 'id', 22).token = null)],
    ['a refused report decides', (run) => (rowOf(run.executions, 'id', 22).token = 'p-2')],
    [
      'a repeat gets another answer',
      (run) => {
        run.outcomes.push({ ...rowOf(run.outcomes, 'replayed', true), try: 3, digest: 'other' });
      },
    ],
    [
      'a repeat is refused though it was made',
      (run) => {
        Object.assign(rowOf(run.outcomes, 'replayed', true), { outcome: 'refused', status: 409, replayed: false });
      },
    ],
  ],
  '(b)': [
    ['an experiment nobody made', (run) => (run.created = [])],
    ['an experiment that is gone', (run) => run.created.push({ kind: 'created', experiment: 2 })],
    ['a way that the engine does not lead', (run) => (rowOf(run.actions, 'id', 14).destination = 'back')],
    ['a move nobody asked for', (run) => (rowOf(run.actions, 'id', 14).actor_kind = 'user')],
    [
      'a move of another experiment',
      (run) => (rowOf(run.intents, 'token', 'm-3').move = { experiment: 2, to: 'pulled' }),
    ],
    ['the engine moves without a callback', (run) => (run.executions = without(run.executions, 'id', 21))],
    ['an entry without an action', (run) => (rowOf(run.entries, 'action_id', 16).action_id = 99)],
  ],
  '(c)': [
    ['a gap', (run) => (rowOf(run.actions, 'id', 16).sequence = 7)],
    ['a fork', (run) => (rowOf(run.actions, 'id', 15).source = 'back')],
    ['a state that no action led to', (run) => (rowOf(run.experiments, 'id', 1).state = 'back')],
    ['a wrong count', (run) => (rowOf(run.experiments, 'id', 1).action_sequence = 5)],
    ['a fork in the history', (run) => (rowOf(run.entries, 'action_id', 13).from = 'ready')],
  ],
  '(d)': [
    ['a callback without an execution', (run) => (run.executions = without(run.executions, 'id', 22))],
    ['two executions of one callback', (run) => run.executions.push({ ...rowOf(run.executions, 'id', 22), id: 23 })],
    [
      'an execution of nothing',
      (run) => run.executions.push({ ...rowOf(run.executions, 'id', 22), id: 23, action_id: 99 }),
    ],
  ],
  '(e)': [
    ['a status that there is not', (run) => (rowOf(run.executions, 'id', 22).status = 'done')],
    ['a result too early', (run) => Object.assign(rowOf(run.executions, 'id', 22), { status: 'skipped' })],
    ['an end before the start', (run) => (rowOf(run.executions, 'id', 21).finished = 3005)],
    ['an action that ends before it begins', (run) => (rowOf(run.actions, 'id', 12).end_time = 1)],
    ['an attempt that ends before it begins', (run) => (rowOf(run.attempts, 'attempt', 2).ended_at = 1)],
  ],
  '(f)': [
    ['a success that reached nobody', (run) => (run.runs = without(run.runs, 'attempt', 2))],
    ['one attempt calls twice', (run) => run.runs.push({ ...rowOf(run.runs, 'attempt', 2) })],
    ['an attempt calls that was never made', (run) => run.runs.push({ ...rowOf(run.runs, 'attempt', 2), attempt: 3 })],
    ['another attempt without a fault', (run) => (run.faults = [])],
    ['another attempt beside a fault of others', (run) => (rowOf(run.faults, 'kind', 'fault').worker = 'w:9')],
  ],
  '(g)': [
    [
      'an entry that was written anew',
      (run) => (run.history = { ...run.history, sound: false, says: ['Entry 2 of experiment 1 is not the one.'] }),
    ],
  ],
  '(h)': [
    [
      'an execution is left open',
      (run) =>
        Object.assign(rowOf(run.executions, 'id', 22), {
          status: 'running',
          result: 'none',
          finished: null,
          token: 'p-1',
        }),
    ],
    ['an action is left open', (run) => (rowOf(run.actions, 'id', 16).end_time = null)],
  ],
  ans: [
    ['a failure without a name', (run) => (rowOf(run.outcomes, 'outcome', 'unknown').status = 500)],
    ['a 503 that does not say when', (run) => (rowOf(run.outcomes, 'outcome', 'unknown').status = 503)],
    [
      'a process that ends by itself',
      (run) => run.faults.push({ kind: 'exit', at: 1, what: 'ended by itself with 1' }),
    ],
  ],
  req: [
    [
      'a database that returns, and requests that are not answered',
      (run) => {
        run.faults.push({ kind: 'back', at: 5000, what: 'kill database' });
      },
    ],
  ],
  eve: [
    [
      'a request without an outcome',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'dead link' });
        run.outcomes = without(run.outcomes, 'token', 'm-2');
      },
    ],
    [
      'a request without an answer',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'dead link' });
      },
    ],
  ],
  'a p': [
    [
      'a request without an answer where a server was asked to end',
      (run) => run.faults.push({ kind: 'fault', at: 900, what: 'end', member: 'server 1' }),
    ],
    [
      'a run that is never given back by a worker that was asked to end',
      (run) => {
        run.outcomes = run.outcomes.filter(({ outcome }) => outcome !== 'unknown');
        run.faults.push({ kind: 'fault', at: 3400, what: 'end', member: 'worker 1', worker: 'w:2' });
        rowOf(run.attempts, 'worker', 'w:2').ended_at = null;
      },
    ],
  ],
};

describe.each(Object.entries(planted))('%s is red where there is', (letter, spoiled) => {
  it.each(spoiled)('%s', (_what, plant) => {
    const run = smallRun();
    plant(run);
    expect(red(run)).toContain(letter);
  });
});

it('an attempt that the receiver failed may be followed by another', () => {
  const run = smallRun();
  run.faults = [];
  rowOf(run.runs, 'attempt', 1).status = 503;
  expect(red(run)).toEqual([]);
});

it('a run may be given back when its worker is asked to end', () => {
  const run = smallRun();
  run.intents = run.intents.filter(({ try: number }) => number === 1);
  run.outcomes = run.outcomes.filter(({ outcome }) => outcome !== 'unknown');
  Object.assign(rowOf(run.outcomes, 'replayed', true), { try: 1, replayed: false });
  run.faults = [{ kind: 'fault', at: 3100, what: 'end', member: 'worker 1', worker: 'w:1' }];
  expect(red(run)).toEqual([]);
});

it('what was met is counted', () => {
  expect(countRareCases(smallRun(), { lockWaits: 3, staleRuns: 2 })).toMatchObject({
    'a worker is killed': 1,
    'a server is killed': 0,
    'an outcome is unknown': 1,
    'an answer is lost after the commit': 1,
    'a key is replayed': 1,
    'a move is refused': 1,
    'a stale report is refused': 1,
    'a lease is lost': 1,
    'somebody waits for a lock': 3,
    'a stale run is refused': 2,
  });
});
