-- The last change of a count, which shows when something happened in a cohort. Apart from the triggers on experiments, so that no counting
-- and no move waits for locks of the other.
alter table state_counts add column changed_at timestamptz(3);
-- The counts of some cohorts, for a list of them.
create index state_counts_cohort_index on state_counts (cohort_id);
