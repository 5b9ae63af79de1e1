/** Inserts a cohort of any size, and an execution for an experiment of its last subject. */
import type { Client } from 'pg';

const execution = (subject: number) => `
  insert into workflows (label) values ('brain');
  insert into states (workflow_id, label, position) values (1, 'arrived', 0);
  update workflows set initial_state_id = 1;
  insert into transitions (workflow_id, kind, source_state_id, destination_state_id) values (1, 'entry', 1, 1);
  begin;
  insert into callbacks (state_id, label) values (1, 'check');
  insert into callback_versions (callback_id, version, workflow_revision, label, function) values (1, 1, 1, 'check', 'http');
  commit;
  insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
    values (${subject}, 1, 1, 1, 'visit', 1);
  insert into actions (experiment_id, sequence, transition_id, actor_kind) values (1, 1, 1, 'engine');
  insert into callback_executions (action_id, callback_id, callback_version) values (1, 1, 1);
`;

export async function insertLargeCohort(client: Client, subjects: number, prefix: string): Promise<void> {
  await client.query(`insert into cohorts (label) values ('large')`);
  await client.query(
    `insert into subjects (cohort_id, label) select 1, $2 || n from generate_series(1, $1::int) as n`,
    [subjects, prefix],
  );
  await client.query(execution(subjects));
  await client.query('analyze subjects');
}
