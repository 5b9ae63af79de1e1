-- Outside a transaction
-- The subjects of a matrix in pages ordered by label. The unique constraint has the label first, so it would read those of all cohorts.
drop index concurrently if exists subjects_cohort_label_index;
create index concurrently subjects_cohort_label_index on subjects (cohort_id, label);
