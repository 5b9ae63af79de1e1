/** Whether the counts of states are what counting every experiment gives, but for those whose subject has withdrawn. */

type Sql = <T extends object>(text: string) => Promise<T[]>;

export interface WrongCount {
  state_id: number;
  cohort_id: number;
  told: number;
  counted: number;
}

/** Of one moment: none, if all is well. */
export const wrongCounts = (sql: Sql) =>
  sql<WrongCount>(`
    with told as (
      select state_id, cohort_id, sum(experiments)::int as experiments
      from (select * from state_counts union all select * from state_count_deltas) as parts group by state_id, cohort_id
    ), counted as (
      select state_id, experiments.cohort_id, count(*)::int as experiments
      from experiments join subjects on subjects.id = subject_id and withdrawn_at is null group by state_id, experiments.cohort_id)
    select state_id::int, cohort_id::int, coalesce(told.experiments, 0) as told, coalesce(counted.experiments, 0) as counted
    from told full join counted using (state_id, cohort_id)
    where coalesce(told.experiments, 0) <> coalesce(counted.experiments, 0)`);
