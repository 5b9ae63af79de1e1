/** Every checker is green on a run that went well, and red on what it is there for, planted into that run. */
import { describe, expect, it } from 'vitest';
import { checkersFor } from './checkers.ts';
import { countRareCases } from './rare-cases.ts';
import { smallRun } from './small-run.ts';

const checkers = checkersFor({ databaseKills: 1, troubles: 1, ends: 1 });

type Run = ReturnType<typeof smallRun>;

/** The first letters of all checkers that found something. */
const red = (run: Run) =>
  Object.entries(checkers)
    .filter(([, check]) => check(run).length > 0)
    .map(([name]) => name.slice(0, 3));

/** The row with that value, to be spoilt. */
function rowOf<T extends object, K extends keyof T>(rows: readonly T[], key: K, value: T[K]): T {
  const found = rows.find((row) => row[key] === value);
  if (!found) throw new Error(`no row has ${String(key)} ${String(value)}`);
  return found;
}
const without = <T extends object, K extends keyof T>(rows: readonly T[], key: K, value: T[K]) =>
  rows.filter((row) => row !== rowOf(rows, key, value));

it('all are green on a run that went well', () => {
  expect(Object.entries(checkers).flatMap(([, check]) => check(smallRun()))).toEqual([]);
});

/** The run does not end yet. */
function goOn(run: Run) {
  run.intents.push({ ...rowOf(run.intents, 'token', 'm-2'), at: 20_000, try: 2 });
  run.outcomes.push({ ...rowOf(run.outcomes, 'token', 'm-2'), at: 20_100, try: 2, replayed: true });
}

type Planted = [what: string, plant: (run: Run) => void];

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
  req: [
    [
      'a request without an outcome',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'dead link' });
        run.outcomes = without(run.outcomes, 'token', 'm-2');
      },
    ],
    [
      'a request that waits for a dead link',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'dead link' });
        rowOf(run.outcomes, 'token', 'm-2').at = 9000;
      },
    ],
    [
      'a request that fails late over a slow link',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'slow link' });
        rowOf(run.outcomes, 'outcome', 'unknown').at = 9000;
      },
    ],
    [
      'a request that takes long after the link was slow',
      (run) => {
        run.faults.push({ kind: 'fault', at: 800, what: 'slow link' }, { kind: 'back', at: 900, what: 'slow link' });
        rowOf(run.outcomes, 'token', 'm-2').at = 9000;
      },
    ],
  ],
  who: [
    [
      'a request that fails where a server was asked to end',
      (run) => run.faults.push({ kind: 'fault', at: 900, what: 'end', member: 'server 1' }),
    ],
    [
      'a run that a worker holds which was asked to end',
      (run) => {
        run.outcomes = run.outcomes.filter(({ outcome }) => outcome !== 'unknown');
        run.faults.push({ kind: 'fault', at: 3400, what: 'end', member: 'worker 1', worker: 'w:2' });
        rowOf(run.attempts, 'worker', 'w:2').ended_at = 14_000;
      },
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
    ['an execution ends too late', (run) => (rowOf(run.executions, 'id', 22).finished = 3010 + 121_000)],
  ],
  ans: [
    ['a failure without a name', (run) => (rowOf(run.outcomes, 'outcome', 'unknown').status = 500)],
    ['a 503 that does not say when', (run) => (rowOf(run.outcomes, 'outcome', 'unknown').status = 503)],
    [
      'a process that ends by itself',
      (run) => run.faults.push({ kind: 'exit', at: 1, what: 'ended by itself with 1' }),
    ],
  ],
  '99 ': [
    [
      'requests that fail long after the return',
      (run) => {
        run.faults.push({ kind: 'back', at: 5000, what: 'kill database' });
        const request = { token: 'late', move: { experiment: 1, to: 'back' } };
        for (let number = 1; number <= 100; number++) {
          run.intents.push({ kind: 'intent', at: 11_000, try: number, ...request });
          const outcome = { ...rowOf(run.outcomes, 'outcome', number > 2 ? 'refused' : 'unknown') };
          run.outcomes.push({ ...outcome, at: 11_010, token: 'late', try: number });
        }
        goOn(run);
      },
    ],
    [
      'clients that wait long after the return',
      (run) => {
        run.faults.push({ kind: 'back', at: 5000, what: 'kill database' });
        goOn(run);
      },
    ],
  ],
};

describe.each(Object.entries(planted))('%s is red where there is', (letter, faults) => {
  it.each(faults)('%s', (_what, plant) => {
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

it('what takes many statements may take long over a slow link', () => {
  const run = smallRun();
  run.faults.push({ kind: 'fault', at: 900, what: 'slow link' });
  rowOf(run.outcomes, 'token', 'm-2').at = 9000;
  expect(checkers['requests fail within 5 s where the link to the database does']?.(run)).toEqual([]);
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
