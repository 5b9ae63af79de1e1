-- Saved views: a query with its order and columns, under a name. Without a cohort, only its owner sees it. With one, every user who can
-- read that cohort does. A user has at most 100.
create table views (
  id bigint generated always as identity constraint views_pk primary key,
  owner_id bigint not null,
  cohort_id bigint,
  name text collate "C" not null,
  name_key text collate "C" not null, -- the name in lower case, for its uniqueness and the order of lists
  query text not null,
  sort text not null default 'id',
  columns text[] not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp(),
  changed_at timestamptz(3) not null default clock_timestamp(),
  version bigint not null default 1,
  constraint views_owner_fk foreign key (owner_id) references users (id),
  constraint views_cohort_fk foreign key (cohort_id) references cohorts (id),
  constraint views_name_unique unique (owner_id, name_key),
  constraint views_name_check check (char_length(name) between 1 and 100),
  constraint views_query_check check (char_length(query) <= 1000),
  constraint views_sort_check check (sort ~ '^-?[a-z][a-z-]{0,30}$'),
  constraint views_columns_check check (cardinality(columns) <= 30 and array_position(columns, null) is null
    and octet_length(columns::text) <= 50000)
);

-- The shared views. Those of a user have the index of their names.
create index views_cohort_index on views (cohort_id, id) where cohort_id is not null;

-- The words of a text in lower case, between single spaces, so that a part of it is found only at the ends of words.
create function words_of(given text) returns text language sql immutable as $$
  select ' ' || btrim(regexp_replace(lower(given collate "C"), '[[:punct:][:space:]]+', ' ', 'g')) || ' '
$$;

-- The labels and external IDs that a subject and its experiments have or had. Many subjects have an experiment called "baseline", so a
-- label that an experiment of another subject has, too, tells nothing and is left out. Each name and entry is looked up separately (`limit`,
-- `offset`): PostgreSQL expects many names, and would join them with all experiments and all entries.
create function names_to_erase(these erased_ids) returns setof text language sql stable as $$
  select subjects.label from subjects where subjects.id = these.subject_id
  union
  select known.name from (
    select external_subject_links.external_id as name from external_subject_links
    where external_subject_links.subject_id = these.subject_id
    union
    select external_experiment_links.external_id from external_experiment_links
    where external_experiment_links.experiment_id = any(these.experiments)
    union
    select experiments.label from experiments where experiments.id = any(these.experiments)
    union
    select told.name from history_to_erase(these) as entry
    cross join lateral (
      select history_values.before, history_values.after from history_values where history_values.history_id = entry.id offset 0) as stored
    cross join lateral (values (stored.before), (stored.after)) as side (values)
    cross join lateral (
      select side.values ->> 'label' as name
      union all
      select ids.value from jsonb_each_text(
        case jsonb_typeof(side.values -> 'external_ids') when 'object' then side.values -> 'external_ids' else '{}' end) as ids
    ) as told
  ) as known
  where known.name is not null and (
    select other.id from experiments as other
    where lower(other.label) = lower(known.name collate "C") and other.id <> all(these.experiments) limit 1) is null
$$;

-- Deletes the views that mention one of these names, whoever owns them.
create function forget_views(these erased_ids) returns bigint language plpgsql as $$
declare
  gone bigint;
begin
  with names as materialized (
    select distinct words_of(name) as words from names_to_erase(these) as name
  ), texts as materialized (
    select views.id, words_of(views.name || ' ' || views.query || ' ' || array_to_string(views.columns, ' ')) as words from views
  )
  delete from views where views.id in (
    select texts.id from texts where exists (
      select from names where names.words <> '  ' and strpos(texts.words, names.words) > 0));
  get diagnostics gone = row_count;
  return gone;
end $$;

-- As before, and the views that mention the subject, which are found by the names that the rest deletes.
create or replace function forget_study(these erased_ids) returns jsonb language plpgsql as $$
declare
  counts jsonb := jsonb_build_object('views', forget_views(these));
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

revoke execute on function words_of(text), names_to_erase(erased_ids), forget_views(erased_ids) from public;
