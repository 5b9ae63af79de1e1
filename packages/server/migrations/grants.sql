-- What the application's role may do: the whole list, applied after every migration, so that a right that is no longer
-- here is gone. It owns nothing, cannot truncate, and cannot rewrite what must stay true: history, revisions, versions of
-- callbacks. Identity columns need no right on their sequences.

revoke all on all tables in schema public from :"app_role";
revoke all on all sequences in schema public from :"app_role";
grant usage on schema public to :"app_role";

grant select on migrations to :"app_role";
-- Written by triggers.
grant select on experiment_search, cohort_counts, cohort_count_deltas, callback_systems to :"app_role";
-- Begun by a trigger, and updated by each check.
grant select, update on external_system_checks to :"app_role";
grant execute on function fold_cohort_counts(bigint) to :"app_role";

-- Added, never changed or deleted.
grant select, insert on workflow_revisions, callback_versions, scans, notes, history_values, personal_keys, checkpoints,
  erasure_requests, user_identities to :"app_role";
-- Of an entry the writer says what happened; when, and where it stands in its chain, says the database.
grant select on history, history_with_values to :"app_role";
grant insert (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason) on history
to :"app_role";

-- Erasing goes by way of this alone, which looks whether it was asked for and writes the certificate.
grant select on erasures to :"app_role";
grant execute on function erase_subject(bigint, text, bigint, text) to :"app_role";

-- Added and changed, never deleted: users are deactivated, parts of workflows are retired.
grant select, insert, update on
  roles, users, external_systems, scantypes, cohorts, subjects,
  workflows, states, transitions, callbacks,
  experiments, experiment_variables, actions, callback_executions, execution_attempts, incidents, state_counts,
  retry_pace, queue_progress, follow_ups, attention_visits, verifications
to :"app_role";

-- Taken away again.
grant select, insert, delete on user_roles, cohort_roles, state_count_deltas, queue_starts, incident_cohorts to :"app_role";
grant select, insert, update, delete on cohort_urls, external_subject_links, external_experiment_links, views, bulk_operations, bulk_items,
  imports, import_lines, import_mappings to :"app_role";
grant select, insert, update on bulk_refusals to :"app_role";
grant select, insert, delete on import_faults, import_keys to :"app_role";

-- Deleted when their time is over.
grant select, update on contact to :"app_role";
grant select, insert, delete on events, contact_gaps to :"app_role";
grant select, update on forgotten_events to :"app_role";
grant select, insert, update, delete on idempotency_keys, sessions, api_tokens, sign_in_failures, password_resets,
  begun_sign_ins, processes to :"app_role";

-- Counted by a task of the workers.
grant select, update on insight_progress to :"app_role";
grant select, insert, update, delete on insight_experiments, insight_moves, insight_levels, insight_stays, insight_runs, insight_causes to :"app_role";
grant execute on function rebuild_insights() to :"app_role";

-- The queue of pg-boss, whose tables are its own: jobs only start attempts, and what they are about stands in our tables.
grant usage on schema pgboss to :"app_role";
grant select, insert, update, delete on all tables in schema pgboss to :"app_role";
