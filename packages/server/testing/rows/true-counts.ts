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
      from (select * from state_counts union all select * from state_count_deltas) as parts group by state_id, cohort_id
    ), counted as (
      select state_id, experiments.cohort_id, count(*)::int as experiments
      from experiments join subjects on subjects.id = subject_id and withdrawn_at is null group by state_id, experiments.cohort_id)
    select state_id::int, cohort_id::int, coalesce(stored.experiments, 0) as stored, coalesce(counted.experiments, 0) as counted
    from stored full join counted using (state_id, cohort_id)
    where coalesce(stored.experiments, 0) <> coalesce(counted.experiments, 0)`);
