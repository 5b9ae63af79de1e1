/**
 * Takes jobs from a queue. The runs of a workflow and priority form a line, ordered by the time at which they became due. Single moves
 * go before bulk moves, and the lines of one priority take the same number of jobs each. The statement reads one index entry for each
 * line and the jobs that it takes, whatever the number of waiting or delayed jobs. What it writes is what pg-boss's own fetch writes.
 */
import type pg from 'pg';
import { priorities } from './priorities.ts';

export interface Taking {
  queue: string;
  most: number;
  highestPriority: number;
  /** These workflows go last, in this order. */
  lastWorkflows: readonly string[];
}

export interface TakenJob {
  executionId: number;
  /** Empty for jobs of the previous release. */
  workflow: string;
}

export interface Taken {
  jobs: TakenJob[];
  /** Some workflow may have more jobs, although fewer than `most` were taken. */
  more: boolean;
  /** Whether runs of bulk moves were waiting. */
  bulkWaits: boolean;
}

/** Jobs that wait or are delayed: the predicate of the index `job_common_lines`. */
const isWaiting = `job.state < 'active' and not job.blocked`;
const workflow = `coalesce(job.group_id, '')`;

/** The first job of each line, found by jumping over the rest of the line in the index. `queue` is an SQL expression. */
export const firstOfLines = (queue: string) => `
  with recursive first as (
    (select job.priority, ${workflow} as workflow, job.created_on as due, job.data
     from pgboss.job_common as job where job.name = ${queue} and ${isWaiting}
     order by job.priority, ${workflow}, job.created_on limit 1)
    union all
    select next.* from first cross join lateral (
      select job.priority, ${workflow} as workflow, job.created_on as due, job.data
      from pgboss.job_common as job
      where job.name = ${queue} and ${isWaiting} and (job.priority, ${workflow}) > (first.priority, first.workflow)
      order by job.priority, ${workflow}, job.created_on limit 1) as next)
  select * from first where first.due <= now()`;

/**
 * Each line gives an equal part, rounded up, until there are enough. The rows of a line are locked one by one as they are needed, and
 * rows that another process has locked are skipped. The planner does not see the limit. Otherwise, PostgreSQL plans the statement at
 * every execution, which takes three times as long as to run it.
 */
const statement = `
  with lines as materialized (
    select line.priority, line.workflow,
      ceil($2::float / count(*) over (partition by line.priority))::bigint as part
    from (${firstOfLines('$1')}) as line where line.priority <= $3
    order by line.priority desc, array_position($4::text[], line.workflow) nulls first, line.workflow
  ), taken as materialized (
    select one.id from lines cross join lateral (
      select job.id from pgboss.job_common as job
      where job.name = $1 and ${isWaiting} and job.priority = lines.priority and ${workflow} = lines.workflow
        and job.created_on <= now() and job.start_after <= now()
      order by job.created_on limit lines.part for update skip locked) as one
    limit (select $2::bigint))
  update pgboss.job_common as job
  set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when job.started_on is not null then job.retry_count + 1 else job.retry_count end
  from taken where job.name = $1 and job.id = taken.id
  returning (job.data->>'execution_id')::bigint as "executionId", ${workflow} as workflow,
    (select bool_or(lines.part < $2) from lines) as shared,
    (select bool_or(lines.priority = ${priorities.bulk}) from lines) as "bulkWaits"`;

interface Row {
  executionId: number;
  workflow: string;
  shared: boolean;
  bulkWaits: boolean;
}

export async function takeFairly(
  pool: Pick<pg.Pool, 'query'>,
  { queue, most, highestPriority, lastWorkflows }: Taking,
): Promise<Taken> {
  const values = [queue, most, highestPriority, lastWorkflows];
  const { rows } = await pool.query<Row>({ name: 'take jobs', text: statement, values });
  return {
    jobs: rows.map(({ executionId, workflow: of }) => ({ executionId, workflow: of })),
    more: rows.length < most && rows[0]?.shared === true,
    bulkWaits: rows[0]?.bulkWaits === true,
  };
}
