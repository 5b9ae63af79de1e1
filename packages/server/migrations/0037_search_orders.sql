-- Outside a transaction: a statement at a time, each of which may run again.
--
-- A search by scan date continues within a day, and one by state and cohort does not read experiments of other cohorts. Both indexes
-- replace one without the last column, so a move writes as many index entries as before.

drop index concurrently if exists experiments_scandate_id_index;
create index concurrently experiments_scandate_id_index on experiments (scandate, id) where scandate is not null;
drop index concurrently if exists experiments_scandate_index;
alter index experiments_scandate_id_index rename to experiments_scandate_index;

drop index concurrently if exists experiments_state_cohort_index;
create index concurrently experiments_state_cohort_index on experiments (state_id, id) include (cohort_id);
drop index concurrently if exists experiments_state_index;
alter index experiments_state_cohort_index rename to experiments_state_index;

-- A change of a subject's external IDs waits for new experiments of the subject, and they for it, because neither sees the other yet.
create or replace function write_subject_link_search() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from subjects where id in (old.subject_id, new.subject_id) order by id for no key update;
  perform refresh_experiment_search(array(select id from experiments where subject_id in (old.subject_id, new.subject_id)));
  return null;
end $$;
