/** Gives each experiment of callback-study.ts a past: three actions, a finished execution with its attempt, and a history entry. */
import { query, type BenchDatabase } from './database.ts';

export const addPast = ({ ownerUrl }: BenchDatabase): Promise<void> =>
  query(
    ownerUrl,
    // Without triggers: the rows are consistent, and the hash chain is not read.
    `set session_replication_role = replica`,
    `insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, actor_kind)
     select id, 2, 2, now() - interval '1 day', now() - interval '1 day', true, '[]', 'operator' from experiments order by id`,
    `insert into callback_executions
       (action_id, callback_id, callback_version, status, result, created, run_start, finished, attempt, version)
     select id, 1, 1, 'finished', 'success', start_time, start_time, start_time, 1, 3 from actions where sequence = 2 order by id`,
    `insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at, heartbeat_at, ended_at)
     select id, 1, sha256(int8send(id)), 'bench', run_start, run_start, run_start from callback_executions order by id`,
    `insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, actor_kind)
     select id, 3, 3, now(), now(), true, 'No callback for state', 'operator' from experiments order by id`,
    `insert into history (actor_kind, operation, object_kind, object_id, after, reason, chain, chain_id, sequence, hash)
     select 'operator', 'setExperimentState', 'experiment', id, '{"state": "resting", "state_id": 1}', '', 'experiment', id, 1,
       sha256(int8send(id))
     from experiments order by id`,
    `update experiments set action_sequence = 3`,
    `set session_replication_role = origin`,
    'vacuum analyze',
  );
