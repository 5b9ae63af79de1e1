/** Reads the evidence at the end of a run: the log files, and the database as its owner. */
import { verifyDatabase } from '../../packages/server/src/bin/history.ts';
import type {
  ActionRow,
  AttemptRow,
  CallbackRow,
  EntryRow,
  Evidence,
  ExecutionRow,
  ExperimentRow,
  VerifiedHistory,
} from './check/evidence.ts';
import { readLines, type DriverLine, type FaultLine, type ReceivedRun } from './drive/lines.ts';
import { query } from './testbed/query.ts';
import type { Testbed } from './testbed/testbed.ts';
import type { Postgres } from './testbed/postgres.ts';

export async function collectEvidence({ logs: { driver, files }, postgres, keyFile }: Testbed): Promise<Evidence> {
  await driver.flush();
  const lines = await readLines<DriverLine>(files.driver);
  return {
    created: lines.filter((line) => line.kind === 'created'),
    intents: lines.filter((line) => line.kind === 'intent'),
    outcomes: lines.filter((line) => line.kind === 'outcome'),
    runs: await readLines<ReceivedRun>(files.receiver),
    faults: await readLines<FaultLine>(files.faults),
    experiments: await query<ExperimentRow>(postgres, experimentRows),
    actions: await query<ActionRow>(postgres, actionRows),
    entries: await query<EntryRow>(postgres, entryRows),
    executions: await query<ExecutionRow>(postgres, executionRows),
    attempts: await query<AttemptRow>(postgres, attemptRows),
    callbacks: await query<CallbackRow>(postgres, callbackRows),
    history: await verifyHistory(postgres, keyFile),
  };
}

async function verifyHistory(postgres: Postgres, keyFile: string): Promise<VerifiedHistory> {
  // Short runs end before the first checkpoint. Runs that require one count them.
  const known = { publicKeys: [keyFile], allowUnsigned: true };
  const report = await verifyDatabase({ DATABASE_URL: postgres.appUrl }, known);
  const [counted] = await query<{ count: number }>(postgres, 'select count(*)::int from checkpoints');
  return { ...report, checkpoints: counted?.count ?? 0 };
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${column.split('.').at(-1)}`;

const experimentRows = `
  select experiments.id::int, states.label as state, action_sequence::int
  from experiments join states on states.id = experiments.state_id`;

const actionRows = `
  select actions.id::int, experiment_id::int, sequence::int, source.label as source, destination.label as destination,
    actions.freetext, actor_kind, ${ms('start_time')}, ${ms('end_time')}
  from actions join transitions on transitions.id = transition_id
  join states as source on source.id = source_state_id
  join states as destination on destination.id = destination_state_id`;

/** Entries without a state record the end of an action. */
const entryRows = `
  select id::int, object_id::int as experiment_id, operation, before ->> 'state' as from, after ->> 'state' as to,
    (after ->> 'action_id')::int as action_id
  from history where object_kind = 'experiment' and after ? 'state'`;

const executionRows = `
  select callback_executions.id::int, action_id::int, callback_executions.callback_id::int, function, status, result,
    ${['created', 'run_start', 'wait_start', 'finished'].map((column) => ms(`callback_executions.${column}`)).join(', ')},
    attempt, run_timeout, wait_timeout, result_values ->> 'token' as token
  from callback_executions join callback_versions on callback_versions.callback_id = callback_executions.callback_id
    and callback_versions.version = callback_executions.callback_version`;

const attemptRows = `
  select execution_id::int, attempt, worker, ${ms('started_at')}, ${ms('heartbeat_at')}, ${ms('ended_at')}, error
  from execution_attempts`;

const callbackRows = `
  select callbacks.id::int, states.label as state from callbacks join states on states.id = state_id
  where not callbacks.retired`;
