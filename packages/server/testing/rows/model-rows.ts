/**
 * Rows of every kind, inserted as the application does. In a new clone identity columns start at 1, so the ids are known.
 * Workflow 1 has the states 1 and 2, workflow 2 has state 3.
 */
export const modelRows = `
  insert into users (username, username_key, email, email_key) values
    ('Ann', 'ann', 'Ann@site.org', 'ann@site.org'), ('ben', 'ben', 'ben@site.org', 'ben@site.org');
  insert into user_roles (user_id, role_id) values (1, 1);
  insert into external_systems (system_name, url) values ('XNAT', 'https://xnat.site.org'), ('PACS', '');
  insert into scantypes (modality, protocol) values ('MR', 'T1'), ('MR', 'T2');
  insert into cohorts (label) values ('A'), ('B');
  insert into cohort_roles (user_id, role_id, cohort_id) values (1, 2, 1);
  insert into cohort_urls (cohort_id, external_system_id, url) values (1, 1, 'https://xnat.site.org/a');
  insert into subjects (cohort_id, label) values (1, 's1'), (1, 's2');
  insert into external_subject_links (subject_id, cohort_id, external_system_id, external_id)
    values (1, 1, 1, 'x1'), (1, 1, 2, 'p1');
  insert into workflows (label) values ('brain'), ('heart');
  insert into workflow_revisions (workflow_id, revision, definition, definition_hash, author_id)
    values (1, 1, 'label: brain', repeat('0', 64), 1);
  insert into states (workflow_id, label, position) values (1, 'arrived', 0), (1, 'checked', 1), (2, 'arrived', 0);
  update workflows set initial_state_id = 1 where id = 1;
  insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
    values (1, 'entry', 1, 1), (1, 'defined', 1, 2);
  begin;
  insert into callbacks (state_id, label) values (2, 'check'), (2, 'mail');
  insert into callback_versions (callback_id, version, workflow_revision, label, function)
    values (1, 1, 1, 'check', 'http'), (2, 1, 1, 'mail', 'send_mail');
  commit;
  insert into experiments (subject_id, cohort_id, workflow_id, state_id, label)
    values (1, 1, 1, 1, 'e1'), (1, 1, 1, 1, 'e2');
  insert into experiment_variables (experiment_id, name, value) values (1, 'usable', 'null');
  insert into external_experiment_links (experiment_id, cohort_id, external_system_id, external_id)
    values (1, 1, 1, 'x1'), (1, 1, 2, 'p1');
  insert into scans (experiment_id, cohort_id, scantype_id) values (1, 1, 1);
  insert into notes (experiment_id, cohort_id, user_id, text) values (1, 1, 1, 'seen');
  insert into follow_ups (experiment_id, cohort_id, assignee_id) values (1, 1, 1);
  insert into views (owner_id, cohort_id, name, name_key, query) values (1, 1, 'One', 'one', ''), (1, null, 'Two', 'two', '');
  insert into bulk_operations (kind, change, author_id, query, starts_itself, rate, experiments, refused) values ('retry', '{}', 1, '', true, 1, 1, 1);
  insert into bulk_refusals (operation_id, number, code, detail, experiments) values (1, 1, 'not_found', 'x', 1);
  insert into bulk_items (operation_id, number, experiment_id, result, refusal) values (1, 1, 1, 'refused', 1);
  insert into imports (author_id, cohort_id, workflow_id, file_name, encoding, delimiter, headers, mapping, column_faults, lines)
    values (1, 1, 1, 'a.csv', 'utf-8', ',', '{subject}', '[{"target": "subject"}]', '{0,0}', 1);
  insert into import_lines (import_id, line, cells) values (1, 2, '["s1"]');
  insert into import_faults (import_id, number, line, place, detail) values (1, 2000, 2, 1, 'x');
  insert into import_keys (import_id, key, value, line) values (1, 'x', 'y', 2);
  insert into import_mappings (cohort_id, name, columns, changed_by) values (1, 'One', '{}', 1);
  insert into attention_visits (user_id, last_at) values (1, now());
  insert into verifications (requested_by) values (1);
  insert into actions (experiment_id, sequence, transition_id, actor_kind, actor_id)
    values (1, 1, 1, 'user', 1), (1, 2, 2, 'user', 1);
  insert into callback_executions (action_id, callback_id, callback_version) values (2, 1, 1), (2, 2, 1);
  insert into execution_attempts (execution_id, attempt, secret_hash) values (1, 1, decode(repeat('00', 32), 'hex'));
  insert into incidents (experiment_id, kind, action_id, execution_id) values (1, 'failed', 2, 1);
  insert into history (actor_kind, operation, object_kind, object_id) values ('engine', 'test', 'experiment', 1);
  insert into erasure_requests (subject_id, requested_by) values (1, 1), (2, 1);
  insert into events (kind, object_kind, object_id, cohort_id) values ('test', 'experiment', 1, 1);
  insert into idempotency_keys (actor_kind, actor_id, key, operation, request_hash, status)
    values ('user', 1, 'k1', 'createCohort', decode(repeat('00', 32), 'hex'), 201);
  insert into sessions (user_id, token_hash, address, user_agent)
    values (1, decode(repeat('00', 32), 'hex'), '192.0.2.1', ''), (1, decode(repeat('01', 32), 'hex'), '192.0.2.1', '');
  insert into password_resets (user_id, token_hash, expires_at)
    values (1, decode(repeat('00', 32), 'hex'), now()), (1, decode(repeat('01', 32), 'hex'), now());
  insert into sign_in_failures (pair_hash, count) values (decode(repeat('00', 32), 'hex'), 1);
  insert into user_identities (issuer, subject, user_id) values ('https://id.site.org', 'ann', 1);
  insert into begun_sign_ins (secret_hash, return_to) values (decode(repeat('00', 32), 'hex'), '/');
  insert into api_tokens (user_id, token_hash, name, permissions, expires_at)
    values (1, decode(repeat('00', 32), 'hex'), 'import', '{user_read}', now() + interval '1 day'),
      (1, decode(repeat('01', 32), 'hex'), 'export', '{}', now() + interval '1 day');
`;
