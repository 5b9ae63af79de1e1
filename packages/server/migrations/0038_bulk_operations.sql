-- Bulk operations: one change to many experiments. Workers check the experiments and then change them, in sets. Each set is one
-- transaction with the lock of its operation, so that no experiment is changed twice.
create table bulk_operations (
  id bigint generated always as identity constraint bulk_operations_pk primary key,
  kind text not null,
  change jsonb not null, -- the state, variables, user or text
  author_id bigint not null,
  token_id bigint, -- the API token that created or applied it: the operation stops if it expires or is revoked
  request_id text,
  query text, -- one of these three chooses the experiments
  experiment_ids bigint[],
  refused_of bigint,
  checked_to bigint not null default 0, -- how far the check has read them
  starts_itself boolean not null, -- after the check. Otherwise it waits for a user
  status text not null default 'checking',
  stopped_because text,
  reason text not null default '',
  rate integer not null,
  per_minute integer, -- how many it changes, averaged over the latest sets
  cohort_ids bigint[] not null default '{}',
  experiments integer not null default 0,
  ready integer not null default 0,
  done integer not null default 0,
  refused integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  created_at timestamptz(3) not null default clock_timestamp(),
  checked_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  constraint bulk_operations_author_fk foreign key (author_id) references users (id),
  constraint bulk_operations_kind_check
    check (kind in ('move', 'retry', 'evaluate', 'place', 'set_variables', 'assign', 'note')),
  constraint bulk_operations_status_check
    check (status in ('checking', 'checked', 'running', 'paused', 'finished', 'stopped')),
  constraint bulk_operations_ended_check check ((status in ('finished', 'stopped')) = (ended_at is not null)),
  constraint bulk_operations_query_check check (char_length(query) <= 1000),
  constraint bulk_operations_rate_check check (rate > 0),
  constraint bulk_operations_counts_check
    check (ready >= 0 and done >= 0 and refused >= 0 and ready + done + refused = experiments)
);

create index bulk_operations_due_index on bulk_operations (next_at) where status in ('checking', 'running');
create index bulk_operations_author_index on bulk_operations (author_id, id);
-- Those that are removed after some time.
create index bulk_operations_age_index on bulk_operations (coalesce(ended_at, created_at))
  where status in ('checked', 'finished', 'stopped');

-- Experiments are refused for few reasons, which are counted. A reason has no values of experiments.
create table bulk_refusals (
  operation_id bigint not null,
  number integer not null,
  code text not null,
  detail text not null,
  experiments integer not null,
  constraint bulk_refusals_pk primary key (operation_id, number),
  constraint bulk_refusals_operation_fk foreign key (operation_id) references bulk_operations (id) on delete cascade,
  constraint bulk_refusals_reason_unique unique (operation_id, code, detail),
  constraint bulk_refusals_detail_check check (octet_length(detail) <= 2000)
);

-- The experiment of an item need not exist: a user can name any id.
create table bulk_items (
  operation_id bigint not null,
  number integer not null,
  experiment_id bigint not null,
  cohort_id bigint, -- null if it was not found
  checked_version bigint,
  result text not null,
  refusal integer,
  constraint bulk_items_pk primary key (operation_id, number),
  constraint bulk_items_operation_fk foreign key (operation_id) references bulk_operations (id),
  constraint bulk_items_result_check check (result in ('ready', 'done', 'refused')),
  constraint bulk_items_refusal_check check ((result = 'refused') = (refusal is not null))
);

create index bulk_items_result_index on bulk_items (operation_id, result, number);
-- Its condition differs from `result = 'refused'`, so that PostgreSQL does not choose it to list all refused items in their order.
create index bulk_items_refusal_index on bulk_items (operation_id, refusal, number) where refusal is not null;

-- Removes the texts of the bulk operations that mention one of these names or have no experiments of others, and stops those that have not
-- ended. An operation with more experiments than the subject has others, too.
create function forget_bulk_operations(these erased_ids) returns bigint language plpgsql as $$
declare
  gone bigint;
begin
  with names as materialized (
    select distinct words_of(name) as words from names_to_erase(these) as name
  ), texts as materialized (
    select bulk_operations.id, words_of(concat_ws(' ', bulk_operations.query, bulk_operations.reason,
      bulk_operations.change ->> 'text', bulk_operations.change ->> 'variables')) as words
    from bulk_operations
  )
  update bulk_operations
  set query = null, reason = '', change = bulk_operations.change - 'text' - 'variables',
    status = case when ended_at is null then 'stopped' else status end,
    stopped_because = case when ended_at is null then 'A subject that it concerns was erased.' else stopped_because end,
    ended_at = coalesce(ended_at, clock_timestamp())
  where bulk_operations.id in (
    select texts.id from texts where exists (
      select from names where names.words <> '  ' and strpos(texts.words, names.words) > 0))
    or (select bool_and(found.experiment_id = any(these.experiments)) from (
      select bulk_items.experiment_id from bulk_items
      where bulk_items.operation_id = bulk_operations.id and bulk_items.cohort_id is not null
      order by bulk_items.number limit cardinality(these.experiments) + 1) as found);
  get diagnostics gone = row_count;
  return gone;
end $$;

-- As before, and the texts of bulk operations.
create or replace function forget_study(these erased_ids) returns jsonb language plpgsql as $$
declare
  counts jsonb := jsonb_build_object('views', forget_views(these), 'bulk_operations', forget_bulk_operations(these));
  gone bigint;
begin
  delete from external_subject_links where subject_id = these.subject_id;
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('external_subject_links', gone);
  delete from external_experiment_links where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('external_experiment_links', gone);
  delete from experiment_variables where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('experiment_variables', gone);
  delete from scans where id = any(these.scans);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('scans', gone);
  delete from follow_ups where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('follow_ups', gone);
  delete from notes where id = any(these.notes);
  get diagnostics gone = row_count;
  return counts || jsonb_build_object('notes', gone);
end $$;

revoke execute on function forget_bulk_operations(erased_ids) from public;
