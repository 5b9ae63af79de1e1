/** The state of the installation, for its operators; beyond the specification. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs } from '../permission.ts';
import * as v from '../values.ts';
import { conditions } from './conditions.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const seconds = (description: string) => ({ ...v.nullable(Type.Number({ minimum: 0 })), description });
const since = (description: string) => ({ ...v.nullable(v.Time), description });

const Process = v.closed({
  id: v.Id,
  kind: v.oneOf(['server', 'worker']),
  host: Type.String(),
  pid: Type.Integer({ minimum: 0 }),
  version: Type.String(),
  status: v.oneOf(['running', 'lost', 'stopped'], {
    description: '`lost`: it has not reported for 30 seconds and did not stop as intended.',
  }),
  started_at: v.Time,
  seen_at: { ...v.Time, description: 'Its last heartbeat. A process sends one every 10 seconds.' },
  stopped_at: v.nullable(v.Time),
  runs: count('The callbacks that a worker runs. 0 for a server.'),
});

const Queue = v.closed({
  queue: Type.String({ description: '`callbacks` is the queue of `milepost work`. Pulling workers read the others.' }),
  waiting: count('Runs that could start, counted some seconds ago.'),
  oldest_since: since('Since when the oldest of them has waited.'),
  blocked: Type.Boolean({ description: 'Whether the queue has an open incident of the kind `unclaimed`.' }),
});

const DatabaseStatus = v.closed({
  version: Type.String({ description: 'The version of PostgreSQL.' }),
  size_bytes: count('The size of the database of Milepost.'),
  connections: count('The open connections of all programs.'),
  max_connections: count('How many the database allows.'),
  read_only: Type.Boolean(),
  replicas: count('The connected standby servers.'),
  replica_lag_seconds: seconds(
    'How far the slowest of them is behind. Null without one, or if the role of Milepost cannot read it.',
  ),
  longest_lock_wait_seconds: seconds(
    'How long the statement of Milepost that waits longest for a lock has run. Null if none waits.',
  ),
});

const Migrations = v.closed({
  applied: count('How many are applied.'),
  last: Type.String({ description: 'The name of the last one.' }),
  pending: Type.Array(Type.String(), { description: 'Those that this version needs and the database does not have.' }),
  unknown: Type.Array(Type.String(), { description: 'Those of a newer version.' }),
});

const Checkpoints = v.closed({
  last_number: { ...v.nullable(v.Id), description: 'Null if the history has never been signed.' },
  last_at: v.nullable(v.Time),
  key_id: v.nullable(Type.String()),
  unsigned_since: since('When the oldest unsigned entry was written. Null if all are signed.'),
  verified_at: since('When the last verification of the whole history ended. Null if there was none.'),
  fault: { ...v.nullable(Type.String()), description: 'What that verification found. Null if the history is intact.' },
});

export const System = v.resource('System', 'The state of the installation.', {
  version: Type.String({ description: 'The version of the server that responded.' }),
  conditions: Type.Array(v.oneOf(conditions), {
    description:
      '`no_worker`: no `milepost work` has reached the database for 15 seconds. `queue_blocked`: a queue has an incident. ' +
      '`checkpoints_overdue`: an entry of the history has not been signed for 5 minutes, although others are.',
  }),
  processes: Type.Array(Process, {
    description: 'Up to 50 servers and workers: those that run first, then those that stopped in the last 24 hours.',
  }),
  queues: Type.Array(Queue),
  database: DatabaseStatus,
  migrations: Migrations,
  checkpoints: Checkpoints,
  active_bulk_operations: count('Those that are checked or run.'),
  active_imports: count('Spreadsheets that are checked or imported.'),
});

const time = '2026-11-16T09:30:00Z';

const example = {
  version: '1.0.0',
  conditions: [],
  processes: [
    {
      id: 12,
      kind: 'worker' as const,
      host: 'milepost-2',
      pid: 4117,
      version: '1.0.0',
      status: 'running' as const,
      started_at: '2026-11-15T22:00:00Z',
      seen_at: time,
      stopped_at: null,
      runs: 3,
    },
  ],
  queues: [{ queue: 'callbacks', waiting: 14, oldest_since: '2026-11-16T09:29:12Z', blocked: false }],
  database: {
    version: '17.6',
    size_bytes: 4_831_838_208,
    connections: 31,
    max_connections: 100,
    read_only: false,
    replicas: 1,
    replica_lag_seconds: 0.2,
    longest_lock_wait_seconds: null,
  },
  migrations: { applied: 36, last: '0042_processes', pending: [], unknown: [] },
  checkpoints: {
    last_number: 40_112,
    last_at: time,
    key_id: '9f2c41ab77d0e813',
    unsigned_since: null,
    verified_at: time,
    fault: null,
  },
  active_bulk_operations: 1,
  active_imports: 0,
};

export const systemOperations = defineOperations({
  getSystem: {
    method: 'GET',
    path: '/system',
    summary: 'Read the state of the installation',
    description:
      'Servers, workers, queues, database, migrations and checkpoints. For alerts, use the metrics. The conditions are also in ' +
      'the header `Milepost-Degraded` of every response to a signed-in user, as long as there are any.',
    access: needs('service_run'),
    installationWide: true,
    response: System,
    statuses: { 200: 'The state.' },
    example: { response: example },
  },
});
