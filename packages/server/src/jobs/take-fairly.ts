/**
 * Takes jobs from a queue. The runs of a workflow and priority form a line, ordered by the time at which they became due. Single moves
 * go before bulk moves, and the lines of one priority take the same number of jobs each. The statement reads one index entry for each
 * line and the jobs that it takes, whatever the number of waiting or delayed jobs. What it writes is what pg-boss's own fetch writes.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { prepare } from '../database/prepare.ts';
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
  /** Where its attempt belongs in a trace. Only read if traces are on, and null if it belongs to none. */
  traceparent?: string | null;
}

export interface Taken<J extends TakenJob = TakenJob> {
  jobs: J[];
  /** Some workflow may have more jobs, although fewer than `most` were taken. */
  more: boolean;
  /** Whether runs of bulk moves were waiting. */
  bulkWaits: boolean;
}

/** Jobs that wait or are delayed: the predicate of the index `job_common_lines`. */
const isWaiting = sql`job.state < 'active' and not job.blocked`;
const workflow = sql`coalesce(job.group_id, '')`;

/** The first job of each line, found by jumping over the rest of the line in the index. */
export const firstOfLines = (queue: RawBuilder<unknown>) => sql`
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

type TakingSql = Record<keyof Taking, RawBuilder<unknown>>;

/**
 * Locks the jobs to take. Each line gives an equal part, rounded up, until there are enough. The rows of a line are locked one by one as
 * they are needed, and rows that another process has locked are skipped. The planner does not see the limit. Otherwise, PostgreSQL plans
 * the statement at every execution, which takes three times as long as to run it.
 */
export const lockJobs = (
  { queue, most, highestPriority, lastWorkflows }: TakingSql,
  { traced = false }: { traced?: boolean } = {},
) => sql`
  lines as materialized (
    select line.priority, line.workflow,
      ceil(${most}::float / count(*) over (partition by line.priority))::bigint as part
    from (${firstOfLines(queue)}) as line where line.priority <= ${highestPriority}
    order by line.priority desc, array_position(${lastWorkflows}::text[], line.workflow) nulls first, line.workflow
  ), taken as materialized (
    select one.id, one.execution_id, lines.workflow${traced ? sql`, one.traceparent` : sql``} from lines cross join lateral (
      select job.id, (job.data->>'execution_id')::bigint as execution_id
        ${traced ? sql`, job.data->>'traceparent' as traceparent` : sql``}
      from pgboss.job_common as job
      where job.name = ${queue} and ${isWaiting} and job.priority = lines.priority and ${workflow} = lines.workflow
        and job.created_on <= now() and job.start_after <= now()
      order by job.created_on limit lines.part for update skip locked) as one
    limit (select ${most}::bigint))`;

/** Marks jobs in `taken` as active. */
export const activateJobs = (queue: RawBuilder<unknown>, where: RawBuilder<unknown>) => sql`
  update pgboss.job_common as job
  set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when job.started_on is not null then job.retry_count + 1 else job.retry_count end
  from taken where job.name = ${queue} and job.id = taken.id and ${where}`;

/** Columns of a row for each taken job. */
export const takenColumns = (most: RawBuilder<unknown>) => sql`
  taken.execution_id as "executionId", taken.workflow, (select bool_or(lines.part < ${most}) from lines) as shared,
  (select bool_or(lines.priority = ${sql.lit(priorities.bulk)}) from lines) as "bulkWaits"`;

export interface TakenRow extends TakenJob {
  shared: boolean;
  bulkWaits: boolean;
}

const prepareTaking = (options: { traced: boolean }) =>
  prepare<Taking, TakenRow>((bind) => {
    const taking = {
      queue: bind((values) => values.queue),
      most: bind((values) => values.most),
      highestPriority: bind((values) => values.highestPriority),
      lastWorkflows: bind((values) => values.lastWorkflows),
    };
    return sql<TakenRow>`
    with ${lockJobs(taking, options)}${activateJobs(taking.queue, sql`true`)} returning ${takenColumns(taking.most)}
      ${options.traced ? sql`, taken.traceparent` : sql``}`;
  });

/** Workers without traces do not pay for them. */
const statements = { plain: prepareTaking({ traced: false }), traced: prepareTaking({ traced: true }) };

export const takeFairly = async (db: Db, taking: Taking, { traced = false } = {}): Promise<Taken> =>
  takenOf(await statements[traced ? 'traced' : 'plain'](db, taking), taking.most);

export const takenOf = <J extends TakenRow>(rows: J[], most: number): Taken<J> => ({
  jobs: rows,
  more: rows.length < most && rows[0]?.shared === true,
  bulkWaits: rows[0]?.bulkWaits === true,
});
