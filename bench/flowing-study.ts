/** A study whose experiments flow through a workflow, with what Insights counts: moves, failed runs, decisions and variables. */
import { query, type BenchDatabase } from './database.ts';

export const states = 20;
/** Each experiment has made 1 to 20 moves. */
export const movesPerExperiment = (1 + states) / 2;

/**
 * The states form a line, the last one is final, and users leave the third one. The experiments of 10 cohorts arrived during the half year
 * before the last two months, and stayed about three days in each state, so the figures have as many weeks, whatever the number of experiments.
 * Every 50th run failed, of one of 20 causes. Foreign keys are not checked while the rows are inserted.
 */
export const makeFlowingStudy = ({ ownerUrl }: BenchDatabase, experiments: number): Promise<void> =>
  query(
    ownerUrl,
    `set session_replication_role = replica`,
    `insert into users (username, username_key, email, email_key) values ('bench', 'bench', 'b@b', 'b@b')`,
    `insert into cohorts (label) select 'cohort ' || n from generate_series(1, 10) n`,
    `insert into subjects (cohort_id, label) select 1 + n % 10, 's' || n from generate_series(1, ${experiments / 10}) n`,
    `insert into workflows (label) values ('bench')`,
    `insert into states (workflow_id, label, position, decision)
     select 1, 'state ' || n, n, case n when 3 then '{}'::json end from generate_series(1, ${states}) n`,
    `update workflows set initial_state_id = 1`,
    `insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
     select 1, case n when 0 then 'entry' else 'defined' end, greatest(n, 1), n + 1 from generate_series(0, ${states - 1}) n order by n`,
    `insert into callbacks (state_id, label) select n, 'callback ' || n from generate_series(1, ${states}) n`,
    `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
     select subjects.id, cohort_id, 1, 1, 'e' || n, 0 from subjects, generate_series(1, 10) n`,
    `update experiments set state_id = 1 + id % ${states}, action_sequence = 1 + id % ${states}`,
    `insert into experiment_variables
     select id, 'scanner', to_jsonb('scanner ' || id % 4) from experiments union all
     select id, 'site', to_jsonb('site ' || id % 7) from experiments`,
    `insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, actor_kind, actor_id)
     select id, n, n, at, at, true, '[]', case n when 4 then 'user' else 'engine' end, case n when 4 then 1 end
     from (
       select experiments.id, n, now() - interval '62 days' - abs(hashint8(id)) % 180 * interval '1 day'
         + (n - 1) * interval '3 days' + abs(hashint8(id * 20 + n)) % 200000 * interval '1 second' as at
       from experiments, generate_series(1, action_sequence) n order by at) made`,
    `insert into callback_executions
       (action_id, callback_id, callback_version, status, result, created, run_start, finished, attempt, failures, version, cause, cause_key)
     select id, transition_id, 1, 'finished', 'failed', start_time, start_time, start_time, 1, 1, 3, 'cause ' || id / 50 % 20, md5((id / 50 % 20)::text)
     from actions where id % 50 = 0 order by id`,
    'vacuum analyze',
    'checkpoint',
  );
