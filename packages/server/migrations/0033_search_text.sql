-- The text in which a search finds an experiment: its label, the label of its subject and the external IDs of both, one on each line, in
-- lower case. Triggers write it when one of these changes, also under the previous release. A move changes none, so it does not write here.
--
-- `milepost migrate` fills the rows of existing experiments in batches and creates the index (src/database/search-text.ts).
create table experiment_search (
  experiment_id bigint constraint experiment_search_pk primary key,
  cohort_id bigint not null, -- that of the experiment, kept equal by the key below
  text text collate "C" not null,
  constraint experiment_search_experiment_fk foreign key (cohort_id, experiment_id)
    references experiments (cohort_id, id) on update cascade
);

-- Every line begins with a line break, so that the beginning of a line can be found. Collation "C" lowers A to Z only, as in the indexes
-- of labels.
create function experiment_search_text(of_experiment bigint) returns text language sql stable
  set search_path = pg_catalog, public, pg_temp as $$
  select E'\n' || string_agg(translate(lower(part.text collate "C"), E'\n\r', '  '), E'\n' order by part.place, part.text)
  from (
    select 1 as place, experiments.label as text from experiments where experiments.id = of_experiment
    union all
    select 2, subjects.label from experiments join subjects on subjects.id = experiments.subject_id
    where experiments.id = of_experiment
    union all
    select 3, links.external_id from external_experiment_links as links where links.experiment_id = of_experiment
    union all
    select 4, links.external_id from experiments
    join external_subject_links as links on links.subject_id = experiments.subject_id where experiments.id = of_experiment
  ) as part
$$;

-- The rows are locked before the text is read, so that of two changes at the same time the later one sees both.
create function refresh_experiment_search(of_experiments bigint[]) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into experiment_search (experiment_id, cohort_id, text)
    select id, cohort_id, '' from experiments where id = any(of_experiments) order by id
    on conflict do nothing;
  perform from experiment_search where experiment_id = any(of_experiments) order by experiment_id for no key update;
  update experiment_search set text = fresh.text
    from (select id, experiment_search_text(id) as text from unnest(of_experiments) as id) as fresh
    where experiment_id = fresh.id and experiment_search.text <> fresh.text;
end $$;

-- A new experiment waits for changes of its subject, which cannot see it yet.
create function write_experiment_search() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from subjects where id = new.subject_id for share;
  if tg_op = 'INSERT' then
    insert into experiment_search (experiment_id, cohort_id, text)
      values (new.id, new.cohort_id, experiment_search_text(new.id));
  else
    perform refresh_experiment_search(array[new.id]);
  end if;
  return null;
end $$;

create function write_subject_search() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform refresh_experiment_search(array(select id from experiments where subject_id = new.id));
  return null;
end $$;

create function write_experiment_link_search() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform refresh_experiment_search(array[old.experiment_id, new.experiment_id]);
  return null;
end $$;

create function write_subject_link_search() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform refresh_experiment_search(array(select id from experiments where subject_id in (old.subject_id, new.subject_id)));
  return null;
end $$;

-- A trigger for certain columns costs other updates nothing, so a move stays as it is.
create trigger search_written after insert on experiments
  for each row execute function write_experiment_search();
create trigger search_changed after update of label, subject_id on experiments
  for each row when (old.label <> new.label or old.subject_id <> new.subject_id) execute function write_experiment_search();
create trigger search_changed after update of label on subjects
  for each row when (old.label <> new.label) execute function write_subject_search();
create trigger search_changed after insert or delete or update of experiment_id, external_id on external_experiment_links
  for each row execute function write_experiment_link_search();
create trigger search_changed after insert or delete or update of subject_id, external_id on external_subject_links
  for each row execute function write_subject_link_search();

revoke execute on function refresh_experiment_search(bigint[]), write_experiment_search(), write_subject_search(),
  write_experiment_link_search(), write_subject_link_search() from public;
