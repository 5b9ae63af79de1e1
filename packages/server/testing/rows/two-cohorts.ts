/** In every table, the row with id 1 belongs to cohort 1 and the row with id 2 to cohort 2. */
export const twoCohorts = `
  insert into cohorts (label) values ('c1'), ('c2');
  insert into subjects (cohort_id, label) values (1, 's1'), (2, 's2');
  insert into workflows (label) values ('brain');
  insert into states (workflow_id, label, position) values (1, 'arrived', 0);
  insert into transitions (workflow_id, kind, source_state_id, destination_state_id) values (1, 'entry', 1, 1);
  insert into transitions (workflow_id, source_state_id, destination_state_id, by) values (1, 1, 1, 'person');
  insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, scandate, action_sequence, resting_sequence, resting_since)
    values (1, 1, 1, 1, 'exp1', '2026-11-15', 1, 1, now()), (2, 2, 1, 1, 'exp2', '2026-11-15', 1, 1, now());
  insert into actions (experiment_id, sequence, transition_id, actor_kind) values (1, 1, 1, 'engine'), (2, 1, 1, 'engine');
  begin;
  insert into callbacks (state_id, label) values (1, 'check');
  insert into callback_versions (callback_id, version, workflow_revision, label, function) values (1, 1, 1, 'check', 'http');
  commit;
  insert into callback_executions (action_id, callback_id, callback_version) values (1, 1, 1), (2, 1, 1);
  insert into incidents (experiment_id, kind, cause_group) values (1, 'failed', '1-none'), (2, 'failed', '1-none');
  insert into incidents (queue, kind, closed_at) values ('callbacks', 'unclaimed', now() + interval '1 hour');
  insert into incident_cohorts (incident_id, cohort_id, experiments, execution_id) values (3, 1, 1, 1), (3, 2, 1, 2);
  insert into external_systems (system_name) values ('XNAT');
  insert into external_subject_links (subject_id, cohort_id, external_system_id, external_id)
    values (1, 1, 1, 'a'), (2, 2, 1, 'b');
  insert into external_experiment_links (experiment_id, cohort_id, external_system_id, external_id)
    values (1, 1, 1, 'a'), (2, 2, 1, 'b');
  insert into scantypes (protocol) values ('T1');
  insert into scans (experiment_id, cohort_id, scantype_id) values (1, 1, 1), (2, 2, 1);
  insert into users (username, username_key, email, email_key) values ('ann', 'ann', 'ann@site.org', 'ann@site.org');
  insert into users (username, username_key, email, email_key) values ('u1', 'u1', 'u1@site.org', 'u1@site.org'), ('u2', 'u2', 'u2@site.org', 'u2@site.org');
  insert into roles (name, permissions) values ('reader', '{user_read}');
  insert into cohort_roles (user_id, role_id, cohort_id) select users.id, roles.id, right(users.username, 1)::bigint
    from users join roles on roles.name = 'reader' where users.username in ('u1', 'u2');
  insert into experiment_variables (experiment_id, name, value)
    values (1, 'v1', '1'), (2, 'v2', '2'), (1, 'site', '"w1"'), (2, 'site', '"w2"');
  insert into views (owner_id, cohort_id, name, name_key, query)
    select users.id, cohorts.id, 'view', 'view ' || cohorts.id, 'cohort:' || cohorts.label from users, cohorts
    where users.username = 'ann' order by cohorts.id;
  insert into bulk_operations (kind, change, author_id, experiment_ids, starts_itself, rate, status, checked_at, cohort_ids, experiments, ready)
    select 'retry', '{}', users.id, array[cohorts.id], false, 1, 'checked', now(), array[cohorts.id], 1, 1 from users, cohorts
    where users.username = 'ann' order by cohorts.id;
  insert into bulk_items (operation_id, number, experiment_id, cohort_id, checked_version, result)
    values (1, 1, 1, 1, 1, 'ready'), (2, 1, 2, 2, 1, 'ready');
  insert into imports (author_id, cohort_id, file_name, encoding, delimiter, headers, mapping, column_faults)
    select users.id, cohorts.id, 'f', 'utf-8', ',', '{subject}', '[{"target": "subject"}]', '{0,0}' from users, cohorts
    where users.username = 'ann' order by cohorts.id;
  insert into state_counts (state_id, cohort_id, experiments) values (1, 1, 1), (1, 2, 1);
  insert into notes (experiment_id, cohort_id, user_id, text) values (1, 1, 1, 'n1'), (2, 2, 1, 'n2');
  insert into follow_ups (experiment_id, cohort_id, assignee_id) values (1, 1, 1), (2, 2, 1);
  insert into erasure_requests (subject_id, requested_by) values (1, 1), (2, 1);
  insert into history (actor_kind, operation, object_kind, object_id)
    values ('engine', 'test', 'experiment', 1), ('engine', 'test', 'experiment', 2), ('engine', 'test', 'subject', 1),
      ('engine', 'test', 'subject', 2), ('engine', 'test', 'cohort', 1), ('engine', 'test', 'cohort', 2);
`;
