/**
 * What has started from each line of a queue, and what waits. A line is the runs of one workflow and priority. Starts are only
 * inserted, and a periodic task adds them up, so that runs that start at the same time do not wait for each other.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { priorities } from '../../jobs/priorities.ts';
import { firstOfLines } from '../../jobs/take-fairly.ts';

/** Part of the statement that starts attempts. It also closes the incident of the queue, or of the run that was passed over. */
export const noteStartsSql = sql`noted as (
      insert into queue_starts (queue, workflow_id, bulk, runs, at)
      select started.queue, started.workflow_id, started.bulk, count(*), clock.now from started cross join clock
      group by started.queue, started.workflow_id, started.bulk, clock.now
    ), claimed as (
      update incidents set closed_at = greatest(clock.now, incidents.opened_at) from clock
      where incidents.id in (
        select open.id from incidents as open join started
          on started.queue = open.queue and coalesce(open.execution_id = started.id, true)
        where open.queue is not null and open.closed_at is null for update of open skip locked))`;

/** Lets one process at a time update the progress. The lock is released at the end of the transaction. */
export async function lockQueueProgress(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ acquired: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('queue-progress')) as acquired`.execute(tx);
  return rows[0]?.acquired === true;
}

/** Rows added at a time, well within the statement timeout. */
const batch = 20_000;

/** Returns whether there may be more. */
export async function addUpStarts(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ added: number }>`
    with chosen as materialized (
      select waiting.ctid as place from queue_starts as waiting limit ${batch}
    ), taken as (
      delete from queue_starts using chosen where queue_starts.ctid = chosen.place returning queue_starts.*
    ), added as (
      insert into queue_progress as progress (queue, workflow_id, bulk, started, last_started_at)
      select taken.queue, taken.workflow_id, taken.bulk, sum(taken.runs), max(taken.at) from taken
      group by taken.queue, taken.workflow_id, taken.bulk
      on conflict (queue, workflow_id, bulk) do update set started = progress.started + excluded.started,
        last_started_at = greatest(progress.last_started_at, excluded.last_started_at))
    select count(*) as added from taken`.execute(tx);
  return rows[0]?.added === batch;
}

/** The run of each line that has waited longest. Jobs of the previous release name no workflow. */
const oldestSql = sql`
  select queue.name as queue, coalesce(nullif(line.workflow, ''), '0')::bigint as workflow_id,
    line.priority = ${sql.lit(priorities.bulk)} as bulk, line.due, (line.data->>'execution_id')::bigint as execution_id
  from pgboss.queue cross join lateral (${firstOfLines(sql.ref('queue.name'))}) as line`;

/** Notes which run of each line has waited longest, and how many runs of the line had started when it became the oldest. */
export async function noteOldest(tx: Tx): Promise<void> {
  await sql`
    with oldest as materialized (${oldestSql}), gone as (
      update queue_progress set oldest_execution_id = null, oldest_due = null
      where queue_progress.oldest_execution_id is not null and not exists (
        select from oldest where oldest.queue = queue_progress.queue and oldest.workflow_id = queue_progress.workflow_id
          and oldest.bulk = queue_progress.bulk))
    insert into queue_progress as progress (queue, workflow_id, bulk, oldest_execution_id, oldest_due)
    select oldest.queue, oldest.workflow_id, oldest.bulk, oldest.execution_id, oldest.due from oldest
    on conflict (queue, workflow_id, bulk) do update
    set oldest_execution_id = excluded.oldest_execution_id, oldest_due = excluded.oldest_due,
      started_before = case when progress.oldest_execution_id = excluded.oldest_execution_id then progress.started_before
        else progress.started end
    where (progress.oldest_execution_id, progress.oldest_due)
      is distinct from (excluded.oldest_execution_id, excluded.oldest_due)`.execute(tx);
}

export interface QueueBacklog {
  queue: string;
  /** Runs that could start, as counted by pg-boss some seconds ago. */
  length: number;
  /** How long the oldest of them has waited. */
  oldest_seconds: number;
  /** Since when. Null if none waits. */
  oldest_at: string | null;
}

/** Reads one index entry for each line, and counts nothing. */
export async function readBacklogs(db: Db): Promise<QueueBacklog[]> {
  const { rows } = await sql<QueueBacklog>`
    select queue.name as queue, queue.ready_count as length,
      coalesce(extract(epoch from now() - min(oldest.due)), 0)::float as oldest_seconds, min(oldest.due) as oldest_at
    from pgboss.queue left join (${oldestSql}) as oldest on oldest.queue = queue.name
    group by queue.name order by queue.name`.execute(db);
  return rows;
}
