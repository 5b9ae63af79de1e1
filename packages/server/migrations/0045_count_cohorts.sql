-- Outside a transaction: one statement, which may run again.
--
-- Counts what was there before 0044. It adds the difference between the true and the recorded numbers of one snapshot, so that nothing
-- is counted twice that is created in the meantime, and it locks nothing.
with true_counts as (
  select subjects.cohort_id, 'subjects' as kind, '' as visit, count(*) as amount from subjects group by subjects.cohort_id
  union all
  select subjects.cohort_id, 'withdrawn', '', count(*) from subjects where subjects.withdrawn_at is not null group by subjects.cohort_id
  union all
  select experiments.cohort_id, 'visit', visit_of(subjects.label, experiments.label), count(*)
  from experiments join subjects on subjects.id = experiments.subject_id
  where subjects.withdrawn_at is null
  group by experiments.cohort_id, 3
), differences as (
  select cohort_id, kind, visit, amount from true_counts
  union all
  select cohort_id, kind, visit, -amount from cohort_counts
  union all
  select cohort_id, kind, visit, -amount from cohort_count_deltas
)
insert into cohort_count_deltas (cohort_id, kind, visit, amount)
  select cohort_id, kind, visit, sum(amount) from differences group by cohort_id, kind, visit having sum(amount) <> 0;
