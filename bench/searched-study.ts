/** What searches find besides the rows of large-study.ts: external IDs, variables, scan dates, assignments and decisions. */
import { query, type BenchDatabase } from './database.ts';

/** The last twentieth of the moves. */
const recent = `sequence = 2 and actions.id > (select max(id) - count(*) / 40 from actions)`;

/**
 * Every third experiment has a scan date, with some 1,100 on each such day. 5,000 experiments in state 2 and 200 in state 3 wait for a
 * decision, half of which are overdue. 400 experiments of all times are assigned to `bench`, and 3,500 to `busy`, most of which moved
 * recently. 1,000 failed runs of all times have an incident, and 3,500 that timed out, most of them recently.
 * 200,000 incidents are closed.
 */
export const addSearched = ({ ownerUrl }: BenchDatabase): Promise<void> =>
  query(
    ownerUrl,
    `set session_replication_role = replica`,
    `insert into external_systems (system_name) values ('XNAT')`,
    `insert into external_experiment_links (experiment_id, cohort_id, external_system_id, external_id)
     select id, cohort_id, 1, 'XNAT_E' || lpad(id::text, 7, '0') from experiments`,
    `insert into experiment_search (experiment_id, cohort_id, text)
     select e.id, e.cohort_id, E'\\n' || e.label || E'\\n' || s.label || E'\\nxnat_e' || lpad(e.id::text, 7, '0')
     from experiments e join subjects s on s.id = e.subject_id order by e.id`,
    `insert into experiment_variables select id, 'age', to_jsonb(40 + id % 50) from experiments where id % 2 = 0`,
    `insert into experiment_variables select id, 'rare', '"yes"' from experiments where id % 50000 = 0`,
    `update states set decision = '{"due": "P3D", "show": [], "fields": []}' where id in (2, 3)`,
    `update experiments set scandate = case when id % 3 = 0 then timestamp '2024-01-01' + id % 900 * interval '1 day' end,
       resting_sequence = case when rests then action_sequence end,
       resting_since = case when rests then now() - id % 6 * interval '1 day' - id * interval '1 microsecond' end
     from (select id as of, state_id = 2 and id % 200 < 20 or state_id = 3 and id % 5000 < 20 as rests from experiments) as judged
     where of = id and (rests or id % 3 = 0)`,
    `insert into users (username, username_key, email, email_key)
     values ('bench', 'bench', 'b@b', 'b@b'), ('busy', 'busy', 'c@c', 'c@c')`,
    `insert into follow_ups (experiment_id, cohort_id, assignee_id)
     select id, cohort_id, 1 from experiments where id % 2500 = 0`,
    `insert into follow_ups (experiment_id, cohort_id, assignee_id)
     select experiments.id, cohort_id, 2 from actions join experiments on experiments.id = experiment_id
     where ${recent} and experiment_id % 20 = 7 or sequence = 2 and experiment_id % 1000 = 7`,
    `insert into incidents (experiment_id, kind, action_id)
     select experiment_id, 'timed_out', id from actions
     where ${recent} and experiment_id % 20 = 3 or sequence = 2 and experiment_id % 1000 = 3 order by id`,
    `insert into incidents (experiment_id, kind, opened_at, closed_at)
     select id, case when id % 2 = 0 then 'failed' else 'timed_out' end, now() - interval '9 days', now() - interval '8 days'
     from experiments where id % 5 = 0`,
    'vacuum analyze',
    'checkpoint',
  );
