/** A withdrawn subject with many experiments, whose erasure is requested. Each change is a transaction of its own, as in use. */
import type { Client } from 'pg';

export interface LargeSubject {
  id: number;
  label: string;
  erasureId: number;
}

export interface SubjectSize {
  experiments: number;
  /** Changes of each experiment. Each has an action, an execution, a history entry with personal values and an event. */
  moves: number;
}

const study = `
  insert into users (username, username_key, email, email_key) values ('large', 'large', 'large@site.org', 'large@site.org');
  insert into cohorts (label) values ('large');
  insert into workflows (label) values ('large');
  insert into states (workflow_id, label, position) select max(id), 'large', 1 from workflows;
  insert into transitions (workflow_id, source_state_id, destination_state_id)
    select max(workflow_id), max(id), max(id) from states;
  begin;
  insert into callbacks (state_id, label) select max(id), 'large' from states;
  insert into callback_versions (callback_id, version, workflow_revision, label, function)
    select max(id), 1, 1, 'large', 'http' from callbacks;
  commit;
  insert into subjects (cohort_id, label, withdrawn_at) select max(id), 'a "large" subject\\', '2026-03-01' from cohorts;`;

const experimentsSql = (count: number) => `
  insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
    select subjects.id, subjects.cohort_id, (select max(id) from workflows), (select max(id) from states), 'large ' || n, 1
    from subjects cross join generate_series(1, ${count}) n where subjects.label like 'a "large"%'`;

const movesSql = (count: number) => `do $$
  declare moved record; action bigint;
  begin
    for moved in select experiments.id, experiments.cohort_id, n from experiments cross join generate_series(1, ${count}) n
      where experiments.label like 'large %' order by n, experiments.id
    loop
      insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, actor_kind)
        values (moved.id, moved.n, (select max(id) from transitions), now(), now(), true, 'engine') returning id into action;
      insert into callback_executions (action_id, callback_id, callback_version, status, result, created, run_start, finished)
        values (action, (select max(id) from callbacks), 1, 'finished', 'success', now(), now(), now());
      insert into history (actor_kind, operation, object_kind, object_id, after, reason)
        values ('engine', 'setExperimentState', 'experiment', moved.id, jsonb_build_object('x', moved.n), '');
      insert into events (kind, object_kind, object_id, cohort_id, data)
        values ('setExperimentState', 'experiment', moved.id, moved.cohort_id, jsonb_build_object('action_id', action));
      commit;
    end loop;
  end $$`;

export async function insertLargeSubject(owner: Client, { experiments, moves }: SubjectSize): Promise<LargeSubject> {
  await owner.query(study);
  await owner.query(experimentsSql(experiments));
  await owner.query(movesSql(moves));
  const { rows } = await owner.query<LargeSubject>(
    `insert into erasure_requests (subject_id, requested_by)
     select subjects.id, users.id from subjects cross join users where subjects.label like 'a "large"%' and username = 'large'
     returning subject_id::int as id, id::int as "erasureId",
       (select label from subjects where subjects.id = subject_id) as label`,
  );
  if (!rows[0]) throw new Error('The subject was not inserted.');
  return rows[0];
}
