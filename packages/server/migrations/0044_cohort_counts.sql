-- The numbers of a cohort: its subjects, those who withdrew, and how many of the others have an experiment of each visit. A visit is what
-- the label of an experiment adds to the label of its subject: `baseline` for MC-0041-baseline.
--
-- Sizes: a row for each cohort and visit. A study whose labels name no visits has a row for each experiment. The deltas have the changes
-- of a few seconds, and no index, as in 0008.
create table cohort_counts (
  cohort_id bigint not null,
  kind text collate "C" not null,
  visit text collate "C" not null, -- empty for the other kinds
  amount bigint not null,
  constraint cohort_counts_pk primary key (cohort_id, kind, visit),
  constraint cohort_counts_kind_check check (kind in ('subjects', 'withdrawn', 'visit'))
);

-- The most frequent visits of a cohort.
create index cohort_counts_amount_index on cohort_counts (cohort_id, kind, amount);
-- Rows that are removed by the next fold.
create index cohort_counts_zero_index on cohort_counts (cohort_id) where amount = 0;

create table cohort_count_deltas (
  cohort_id bigint not null,
  kind text collate "C" not null,
  visit text collate "C" not null,
  amount bigint not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1
);

create function visit_of(subject_label text, experiment_label text) returns text language sql immutable parallel safe as $$
  select case
    when starts_with(experiment_label, subject_label)
      and ltrim(substr(experiment_label, char_length(subject_label) + 1), E' \t-_.:/·')
        not in ('', substr(experiment_label, char_length(subject_label) + 1))
    then ltrim(substr(experiment_label, char_length(subject_label) + 1), E' \t-_.:/·')
    else experiment_label
  end
$$;

create function count_new_subjects() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select cohort_id, 'subjects', '', count(*) from added group by cohort_id
    union all
    select cohort_id, 'withdrawn', '', count(*) from added where withdrawn_at is not null group by cohort_id;
  return null;
end $$;

create function count_new_experiments() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select added.cohort_id, 'visit', visit_of(subjects.label, added.label) as visit, count(*)
    from added join subjects on subjects.id = added.subject_id
    where subjects.withdrawn_at is null
    group by added.cohort_id, 3;
  return null;
end $$;

-- An experiment that is renamed, or that belongs to another subject or cohort from now on.
create function count_changed_experiment() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select change.cohort_id, 'visit', visit_of(subjects.label, change.label), change.amount
    from (values (old.subject_id, old.cohort_id, old.label, -1), (new.subject_id, new.cohort_id, new.label, 1))
      as change (subject_id, cohort_id, label, amount)
    join subjects on subjects.id = change.subject_id
    where subjects.withdrawn_at is null;
  return null;
end $$;

-- A subject that is renamed, withdraws or changes cohort. The foreign key passes a new cohort on to the experiments, which are counted
-- there with the new label of the subject. So the visits of the old label are corrected where they were.
create function count_changed_subject() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select change.cohort_id, change.kind, '', change.amount
    from (values (old.cohort_id, 'subjects', -1), (new.cohort_id, 'subjects', 1),
      (old.cohort_id, 'withdrawn', -(old.withdrawn_at is not null)::integer),
      (new.cohort_id, 'withdrawn', (new.withdrawn_at is not null)::integer)) as change (cohort_id, kind, amount)
    where change.amount <> 0 and (old.cohort_id <> new.cohort_id or change.kind = 'withdrawn');
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select old.cohort_id, 'visit', visit_of(subject.label, experiments.label) as visit, sum(subject.amount)
    from experiments cross join (values (old.label, old.withdrawn_at, -1), (new.label, new.withdrawn_at, 1))
      as subject (label, withdrawn_at, amount)
    where experiments.subject_id = new.id and subject.withdrawn_at is null
    group by 3 having sum(subject.amount) <> 0;
  return null;
end $$;

-- Adds up to so many deltas to the counts, all without a number. Planned each time, because the table is usually almost empty.
create function fold_cohort_counts(most bigint) returns bigint language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  folded bigint;
begin
  with chosen as materialized (
    select waiting.ctid as place from cohort_count_deltas as waiting limit most
  ), taken as (
    delete from cohort_count_deltas using chosen where cohort_count_deltas.ctid = chosen.place
    returning cohort_count_deltas.cohort_id, cohort_count_deltas.kind, cohort_count_deltas.visit, cohort_count_deltas.amount
  ), added as (
    insert into cohort_counts as counts (cohort_id, kind, visit, amount)
    select taken.cohort_id, taken.kind, taken.visit, sum(taken.amount) from taken
    group by taken.cohort_id, taken.kind, taken.visit having sum(taken.amount) <> 0
    order by taken.cohort_id, taken.kind, taken.visit
    on conflict (cohort_id, kind, visit) do update set amount = counts.amount + excluded.amount)
  select count(*) into folded from taken;
  delete from cohort_counts where amount = 0;
  return folded;
end $$;

-- The label of an erased subject's experiment must not stay as the name of a visit. The subject withdrew before, so nothing counts it.
create function fold_after_erasure() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform fold_cohort_counts(null);
  return null;
end $$;

-- Those for certain columns cost other updates nothing, so a move stays as it is.
create trigger subjects_counted after insert on subjects
  referencing new table as added for each statement execute function count_new_subjects();
create trigger subject_changes_counted after update of label, withdrawn_at, cohort_id on subjects for each row
  when (old.label <> new.label or old.withdrawn_at is distinct from new.withdrawn_at or old.cohort_id <> new.cohort_id)
  execute function count_changed_subject();
create trigger visits_counted after insert on experiments
  referencing new table as added for each statement execute function count_new_experiments();
create trigger visit_changes_counted after update of label, subject_id, cohort_id on experiments for each row
  when (old.label <> new.label or old.subject_id <> new.subject_id or old.cohort_id <> new.cohort_id)
  execute function count_changed_experiment();
create trigger counts_folded after insert on erasures for each statement execute function fold_after_erasure();

revoke execute on function count_new_subjects(), count_new_experiments(), count_changed_experiment(), count_changed_subject(),
  fold_cohort_counts(bigint), fold_after_erasure() from public;
