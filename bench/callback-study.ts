/** A study whose experiments are one move away from a callback, created with SQL. */
import { query } from './database.ts';

export interface StudyCallback {
  function: string;
  arguments: object;
  queue: string;
}

/** Sleeps for 0 s in a worker. */
export const emptyCallback: StudyCallback = { function: 'sleep', arguments: { seconds: 0 }, queue: 'callbacks' };

/** Waits for a pulling worker. */
export const pulledCallback: StudyCallback = {
  function: 'worker',
  arguments: { queue: 'bench' },
  queue: 'pull/bench',
};

const createQueue = ({ queue }: StudyCallback) =>
  `select pgboss.create_queue('${queue}', '{"policy": "standard", "retryLimit": 1000000, "expireInSeconds": 30}')
   where not exists (select from pgboss.queue where name = '${queue}')`;

/** State 1 (`resting`) leads to state 2 (`working`) and back. State 2 has the callback `nothing`. */
export const makeStudy = (ownerUrl: string, experiments: number, callback = emptyCallback): Promise<void> =>
  query(
    ownerUrl,
    createQueue(callback),
    `insert into cohorts (label) values ('bench')`,
    `insert into subjects (cohort_id, label) select 1, 's' || n from generate_series(1, ${experiments}) n`,
    `insert into workflows (label) values ('bench')`,
    `insert into states (workflow_id, label, position) values (1, 'resting', 0), (1, 'working', 1)`,
    `update workflows set initial_state_id = 1`,
    `insert into transitions (workflow_id, kind, source_state_id, destination_state_id, by)
     values (1, 'entry', 1, 1, 'both'), (1, 'defined', 1, 2, 'both'), (1, 'defined', 2, 1, 'person')`,
    `with made as (insert into callbacks (state_id, label) values (2, 'nothing') returning id)
     insert into callback_versions (callback_id, version, workflow_revision, label, function, callback_arguments, queue)
     select id, 1, 1, 'nothing', '${callback.function}', '${JSON.stringify(callback.arguments)}', '${callback.queue}' from made`,
    `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
     select id, 1, 1, 1, 'e', 1 from subjects`,
    `insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, actor_kind)
     select id, 1, 1, now(), now(), true, 'No callback for state', 'operator' from experiments`,
    'vacuum analyze',
  );
