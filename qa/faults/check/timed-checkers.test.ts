/** What only checkers that judge by seconds see: the others stay green. */
import { describe, expect, it } from 'vitest';
import { smallRun } from './small-run.ts';
import { red, rowOf, type Planted, type Run } from './spoil.ts';

/** The run does not end yet. */
function goOn(run: Run) {
  run.intents.push({ ...rowOf(run.intents, 'token', 'm-2'), at: 20_000, try: 2 });
  run.outcomes.push({ ...rowOf(run.outcomes, 'token', 'm-2'), at: 20_100, try: 2, replayed: true });
}

/** Enough requests to see that they are answered again. */
function answerMany(run: Run, at: number) {
  for (let number = 3; number < 33; number++) {
    run.intents.push({ ...rowOf(run.intents, 'token', 'm-2'), at, try: number });
    run.outcomes.push({ ...rowOf(run.outcomes, 'token', 'm-2'), at, try: number, replayed: true });
  }
}

/** The try whose outcome is unknown was answered with 503. */
const answerUnknown = (run: Run) =>
  Object.assign(rowOf(run.outcomes, 'outcome', 'unknown'), { status: 503, retryAfter: true });

const late: Record<string, Planted[]> = {
  '(h)': [['an execution ends too late', (run) => (rowOf(run.executions, 'id', 22).finished = 3010 + 121_000)]],
  wor: [
    [
      'a lease that runs out without a fault',
      (run) => {
        run.faults = [];
        const [lost, next] = [rowOf(run.attempts, 'attempt', 1), rowOf(run.attempts, 'attempt', 2)];
        Object.assign(lost, { started_at: -20_000, heartbeat_at: -18_000, ended_at: 2000 });
        Object.assign(next, { started_at: 3390 });
      },
    ],
  ],
  req: [
    [
      'a request that waits for a dead link',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'dead link' });
        answerUnknown(run);
        rowOf(run.outcomes, 'token', 'm-2').at = 9000;
      },
    ],
    [
      'a request that fails late over a slow link',
      (run) => {
        run.faults.push({ kind: 'fault', at: 900, what: 'slow link' });
        answerUnknown(run).at = 9000;
      },
    ],
    [
      'a request that takes long after the link was slow',
      (run) => {
        run.faults.push({ kind: 'fault', at: 800, what: 'slow link' }, { kind: 'back', at: 900, what: 'slow link' });
        answerUnknown(run);
        answerMany(run, 1000);
        rowOf(run.outcomes, 'token', 'm-2').at = 9000;
      },
    ],
  ],
  'a p': [
    [
      'a request that fails where a server was asked to end',
      (run) => {
        answerUnknown(run);
        run.faults.push({ kind: 'fault', at: 900, what: 'end', member: 'server 1' });
      },
    ],
    [
      'a run that a worker holds for long after it was asked to end',
      (run) => {
        run.outcomes = run.outcomes.filter(({ outcome }) => outcome !== 'unknown');
        run.faults.push({ kind: 'fault', at: 3400, what: 'end', member: 'worker 1', worker: 'w:2' });
        rowOf(run.attempts, 'worker', 'w:2').ended_at = 14_000;
      },
    ],
  ],
  '99 ': [
    [
      'requests that fail long after the return',
      (run) => {
        run.faults.push({ kind: 'back', at: 5000, what: 'kill database' });
        answerMany(run, 5100);
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
        answerMany(run, 5100);
        goOn(run);
      },
    ],
  ],
};

describe.each(Object.entries(late))('%s is red where there is', (letter, spoiled) => {
  it.each(spoiled)('%s', (_what, plant) => {
    const run = smallRun();
    plant(run);
    expect(red(run, 'seconds')).toContain(letter);
    expect(red(run)).toEqual([]);
  });
});

it('what takes many statements may take long over a slow link', () => {
  const run = smallRun();
  run.faults.push({ kind: 'fault', at: 900, what: 'slow link' });
  answerUnknown(run);
  rowOf(run.outcomes, 'token', 'm-2').at = 9000;
  expect(red(run, 'seconds')).toEqual([]);
});
