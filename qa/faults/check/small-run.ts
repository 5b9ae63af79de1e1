/** A correct run of a few moves, written by hand. Tests plant an error in it to test the checkers. */
import type { OutcomeLine } from '../drive/lines.ts';
import type { ActionRow, Evidence, ExecutionRow } from './evidence.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer R)[] ? R[] : T[K] };

const outcome = (token: string, number = 1, more: Partial<OutcomeLine> = {}): OutcomeLine => ({
  kind: 'outcome',
  at: 1100,
  token,
  try: number,
  outcome: 'ok',
  status: 200,
  sent: true,
  replayed: false,
  retryAfter: false,
  digest: token,
  ...more,
});

const action = (id: number, source: string, destination: string, more: Partial<ActionRow> = {}): ActionRow => ({
  id,
  experiment_id: 1,
  sequence: id - 10,
  source,
  destination,
  freetext: '',
  actor_kind: 'user',
  start_time: 1000 * (id - 10),
  end_time: 1000 * (id - 10) + 500,
  ...more,
});

const execution: ExecutionRow = {
  id: 21,
  action_id: 13,
  callback_id: 5,
  function: 'http',
  status: 'finished',
  result: 'success',
  created: 3000,
  run_start: 3010,
  wait_start: null,
  finished: 3500,
  attempt: 2,
  run_timeout: 1,
  wait_timeout: 0,
  token: null,
};

const pulled: ExecutionRow = {
  ...execution,
  id: 22,
  action_id: 15,
  callback_id: 6,
  function: 'worker',
  attempt: 1,
  token: 'p-1',
};

/**
 * The experiment is created and moves to `back`. The response is lost, and a repeat gets it. It moves to `call`, where the
 * worker of the first attempt is killed, and the engine moves it to `ready`. From `pulled`, a report moves it to `ready` again.
 * A late move and a late report are rejected.
 */
export const smallRun = (): Writable<Evidence> => ({ ...logs(), ...rows() });

const logs = (): Pick<Writable<Evidence>, 'created' | 'intents' | 'outcomes' | 'runs' | 'faults'> => ({
  created: [{ kind: 'created', experiment: 1 }],
  intents: [
    { kind: 'intent', at: 900, token: 'm-1', try: 1, move: { experiment: 1, to: 'back' } },
    { kind: 'intent', at: 1050, token: 'm-1', try: 2, move: { experiment: 1, to: 'back' } },
    { kind: 'intent', at: 2900, token: 'm-2', try: 1, move: { experiment: 1, to: 'call' } },
    { kind: 'intent', at: 4900, token: 'm-3', try: 1, move: { experiment: 1, to: 'pulled' } },
    { kind: 'intent', at: 4950, token: 'm-4', try: 1, move: { experiment: 1, to: 'call' } },
    { kind: 'intent', at: 5200, token: 'p-1', try: 1, report: { execution: 22, attempt: 1 } },
    { kind: 'intent', at: 5900, token: 'p-2', try: 1, report: { execution: 22, attempt: 1 } },
  ],
  outcomes: [
    outcome('m-1', 1, { outcome: 'unknown', status: 0 }),
    outcome('m-1', 2, { replayed: true }),
    outcome('m-2'),
    outcome('m-3'),
    outcome('m-4', 1, { outcome: 'rejected', status: 409, code: 'experiment_changed' }),
    outcome('p-1'),
    outcome('p-2', 1, { outcome: 'rejected', status: 409, code: 'stale_attempt' }),
  ],
  runs: [
    { kind: 'run', at: 3020, execution: 21, attempt: 1, status: 200 },
    { kind: 'run', at: 3400, execution: 21, attempt: 2, status: 200 },
  ],
  faults: [
    { kind: 'fault', at: 3100, what: 'kill', member: 'worker 1', worker: 'w:1' },
    { kind: 'back', at: 3200, what: 'kill', member: 'worker 1', worker: 'w:2' },
  ],
});

const rows = (): Omit<Writable<Evidence>, keyof ReturnType<typeof logs>> => ({
  experiments: [{ id: 1, state: 'ready', action_sequence: 6 }],
  actions: [
    action(11, 'ready', 'ready'),
    action(12, 'ready', 'back', { freetext: 'm-1' }),
    action(13, 'back', 'call', { freetext: 'm-2' }),
    action(14, 'call', 'ready', { actor_kind: 'engine' }),
    action(15, 'ready', 'pulled', { freetext: 'm-3' }),
    action(16, 'pulled', 'ready', { actor_kind: 'execution' }),
  ],
  entries: [
    { id: 101, experiment_id: 1, operation: 'createExperiment', from: null, to: 'ready', action_id: 11 },
    { id: 102, experiment_id: 1, operation: 'setExperimentState', from: 'ready', to: 'back', action_id: 12 },
    { id: 103, experiment_id: 1, operation: 'setExperimentState', from: 'back', to: 'call', action_id: 13 },
    { id: 104, experiment_id: 1, operation: 'runCallback', from: 'call', to: 'ready', action_id: 14 },
    { id: 105, experiment_id: 1, operation: 'setExperimentState', from: 'ready', to: 'pulled', action_id: 15 },
    { id: 106, experiment_id: 1, operation: 'updateCallbackExecution', from: 'pulled', to: 'ready', action_id: 16 },
  ],
  executions: [{ ...execution }, { ...pulled }],
  attempts: [
    {
      execution_id: 21,
      attempt: 1,
      worker: 'w:1',
      started_at: 3010,
      heartbeat_at: 3010,
      ended_at: 3300,
      error: 'The worker stopped sending heartbeats.',
    },
    { execution_id: 21, attempt: 2, worker: 'w:2', started_at: 3390, heartbeat_at: 3390, ended_at: 3500, error: null },
  ],
  history: { valid: true, messages: [], checkpoints: 1 },
  callbacks: [
    { id: 5, state: 'call' },
    { id: 6, state: 'pulled' },
  ],
});
