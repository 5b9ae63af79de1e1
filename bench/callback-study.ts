/** A study whose experiments are one move away from an empty callback, created with SQL. */
import { query } from './database.ts';

/** State 1 leads to state 2 and back. State 2 has the callback `nothing`, which sleeps for 0 s. */
export const makeStudy = (ownerUrl: string, experiments: number): Promise<void> =>
  query(
    ownerUrl,
    `insert into cohorts (label) values ('bench')`,
    `insert into subjects (cohort_id, label) select 1, 's' || n from generate_series(1, ${experiments}) n`,
    `insert into workflows (label) values ('bench')`,
    `insert into states (workflow_id, label, position) values (1, 'resting', 0), (1, 'working', 1)`,
    `update workflows set initial_state_id = 1`,
    `insert into transitions (workflow_id, kind, source_state_id, destination_state_id, by)
     values (1, 'entry', 1, 1, 'both'), (1, 'defined', 1, 2, 'both'), (1, 'defined', 2, 1, 'person')`,
    `with made as (insert into callbacks (state_id, label) values (2, 'nothing') returning id)
     insert into callback_versions (callback_id, version, workflow_revision, label, function, callback_arguments)
     select id, 1, 1, 'nothing', 'sleep', '{"seconds": 0}' from made`,
    `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
     select id, 1, 1, 1, 'e', 1 from subjects`,
    `insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, actor_kind)
     select id, 1, 1, now(), now(), true, 'No callback for state', 'operator' from experiments`,
    'vacuum analyze',
  );
