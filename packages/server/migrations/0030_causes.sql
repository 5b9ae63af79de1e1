-- Outside a transaction: a statement at a time, each of which may run again.
--
-- A failed run has a cause: what its program or the called server said, in one line. It can name a person, so it is erased with
-- the logs. Empty: nobody said anything. Null in rows of the previous release, whose last_error takes its place.
--
-- cause_key is the same for causes that differ only in values, such as numbers and paths. An open incident has the group of its
-- run: the callback and this key.

alter table callback_executions
  add column if not exists cause text,
  add column if not exists cause_key text,
  drop constraint if exists callback_executions_cause_check,
  add constraint callback_executions_cause_check check (char_length(cause) <= 500) not valid;
alter table callback_executions validate constraint callback_executions_cause_check;

alter table incidents add column if not exists cause_group text collate "C";

-- The open incidents of a group, in pages ordered by id, and all groups.
drop index concurrently if exists incidents_open_group_index;
create index concurrently incidents_open_group_index on incidents (cause_group, id)
  where closed_at is null and cause_group is not null;

-- Open incidents that the previous release opened. They have no group, so they are listed one by one.
drop index concurrently if exists incidents_open_ungrouped_index;
create index concurrently incidents_open_ungrouped_index on incidents (id)
  where closed_at is null and cause_group is null and kind in ('failed', 'timed_out');

-- As before, and the causes with their keys. A key is a hash that can be guessed.
create or replace function forget_runs(these erased_ids) returns jsonb language plpgsql as $$
declare
  counts jsonb := '{}';
  gone bigint;
begin
  delete from execution_attempts where execution_id = any(these.executions);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('execution_attempts', gone);
  update callback_executions
    set result_values = '{}', run_log = '', result_log = '', last_error = null, cause = null, cause_key = null,
      version = version + 1
    where id = any(these.executions);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('callback_executions', gone);
  update actions set freetext = '', return_value = '', inputs = null, version = version + 1
    where id = any(these.actions || these.left_actions);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('actions', gone);
  update incidents set detail = '', cause_group = null where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('incidents', gone);
  delete from pgboss.job
    where id in (select lpad(to_hex(one), 32, '0')::uuid from unnest(these.executions) as one)
      or data ->> 'execution_id' in (select one::text from unnest(these.executions) as one);
  get diagnostics gone = row_count;
  return counts || jsonb_build_object('jobs', gone);
end $$;
