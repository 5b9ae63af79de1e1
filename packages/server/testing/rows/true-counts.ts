/** Compares the stored counts of each state with the number of its experiments, without those of withdrawn subjects. */

type Sql = <T extends object>(text: string) => Promise<T[]>;

export interface WrongCount {
  state_id: number;
  cohort_id: number;
  stored: number;
  counted: number;
}

/** The counts that are wrong, read in one statement. */
export const wrongCounts = (sql: Sql) =>
  sql<WrongCount>(`
    with stored as (
      select state_id, cohort_id, sum(experiments)::int as experiments
      from (select state_id, cohort_id, experiments from state_counts union all select state_id, cohort_id, experiments from state_count_deltas) as parts
      group by state_id, cohort_id
    ), counted as (
      select state_id, experiments.cohort_id, count(*)::int as experiments
      from experiments join subjects on subjects.id = subject_id and withdrawn_at is null group by state_id, experiments.cohort_id)
    select state_id::int, cohort_id::int, coalesce(stored.experiments, 0) as stored, coalesce(counted.experiments, 0) as counted
    from stored full join counted using (state_id, cohort_id)
    where coalesce(stored.experiments, 0) <> coalesce(counted.experiments, 0)`);

/** The counts of subjects and visits that are wrong, read in one statement. */
export const wrongCohortCounts = (sql: Sql) =>
  sql<{ cohort_id: number; kind: string; visit: string; stored: number; counted: number }>(`
    with stored as (
      select cohort_id, kind, visit, sum(amount)::int as amount
      from (select * from cohort_counts union all select * from cohort_count_deltas) as parts group by cohort_id, kind, visit
    ), counted as (
      select cohort_id, 'subjects' as kind, '' as visit, count(*)::int as amount from subjects group by cohort_id
      union all
      select cohort_id, 'withdrawn', '', count(*)::int from subjects where withdrawn_at is not null group by cohort_id
      union all
      select experiments.cohort_id, 'visit', visit_of(subjects.label, experiments.label), count(*)::int
      from experiments join subjects on subjects.id = subject_id and withdrawn_at is null group by experiments.cohort_id, 3)
    select cohort_id::int, kind, visit, coalesce(stored.amount, 0) as stored, coalesce(counted.amount, 0) as counted
    from stored full join counted using (cohort_id, kind, visit)
    where coalesce(stored.amount, 0) <> coalesce(counted.amount, 0)`);
