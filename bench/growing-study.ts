/**
 * A study with everything that a used one has, whatever its size: the rows of large-study.ts and searched-study.ts, and for each action a
 * finished run with its attempt, an entry of the history with its hash, and an event.
 */
import { query, type BenchDatabase } from './database.ts';
import { makeLargeStudy } from './large-study.ts';
import { addSearched } from './searched-study.ts';

export async function makeGrowingStudy(database: BenchDatabase, experiments: number): Promise<void> {
  await makeLargeStudy(database, experiments);
  await addSearched(database);
  await addRuns(database);
  await addRecord(database);
  await query(database.ownerUrl, 'vacuum analyze', 'checkpoint');
}

/** Every state has a callback for pulling workers, so that each move also writes a run. */
const addRuns = ({ ownerUrl }: BenchDatabase): Promise<void> =>
  query(
    ownerUrl,
    `select pgboss.create_queue('pull/bench', '{"policy": "standard", "retryLimit": 1000000, "expireInSeconds": 30}')`,
    `set session_replication_role = replica`,
    `insert into callbacks (state_id, label) select id, 'callback' from states order by id`,
    `insert into callback_versions (callback_id, version, workflow_revision, label, function, callback_arguments, queue)
     select id, 1, 1, label, 'worker', '{"queue": "bench"}', 'pull/bench' from callbacks`,
    `insert into callback_executions
       (action_id, callback_id, callback_version, status, result, created, run_start, finished, attempt, version)
     select actions.id, callbacks.id, 1, 'finished', 'success', start_time, start_time, start_time, 1, 3
     from actions join transitions on transitions.id = transition_id
     join callbacks on callbacks.state_id = destination_state_id order by actions.id`,
    `insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at, heartbeat_at, ended_at)
     select id, 1, sha256(int8send(id)), 'bench', run_start, run_start, run_start from callback_executions order by id`,
  );

/** With the trigger of the hash chain, so that the history can be verified. */
const addRecord = ({ ownerUrl }: BenchDatabase): Promise<void> =>
  query(
    ownerUrl,
    `set session_replication_role = replica`,
    // The trigger plans its search of the previous entry while the table is empty.
    `set enable_seqscan = off`,
    `alter table history enable always trigger history_chained`,
    `insert into history (at, actor_kind, operation, object_kind, object_id, after, reason)
     select start_time, 'operator', 'setExperimentState', 'experiment', experiment_id, ${after}, '' ${moves}`,
    `alter table history enable trigger history_chained`,
    `insert into events (at, kind, object_kind, object_id, cohort_id, data)
     select start_time, 'setExperimentState', 'experiment', experiment_id, experiments.cohort_id, ${after} ${moves}`,
  );

const after = `jsonb_build_object('state', states.label, 'state_id', states.id, 'transition_id', transition_id, 'action_id', actions.id)`;
const moves = `from actions join transitions on transitions.id = transition_id join states on states.id = destination_state_id
  join experiments on experiments.id = experiment_id order by actions.id`;
