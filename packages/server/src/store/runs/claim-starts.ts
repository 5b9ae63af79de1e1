/**
 * Takes jobs of a queue and starts their attempts, in one statement. Attempts that need more than that are left to the engine, and so
 * are those whose experiment or workflow is locked: their jobs are only taken.
 */
import { maxClaims } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { arrayOf } from '../../database/given-rows.ts';
import { prepare } from '../../database/prepare.ts';
import { activateJobs, lockJobs, takenColumns, takenOf } from '../../jobs/take-fairly.ts';
import type { Taken, TakenRow, Taking } from '../../jobs/take-fairly.ts';
import {
  clockSql,
  dueColumns,
  dueTables,
  lockGivenSql,
  noneWaiting,
  startGivenSql,
  type DueExecution,
} from './attempt-starts.ts';
import { externalSystemsSql } from './attempts.ts';

export interface ClaimStarts {
  worker: string;
  /** One for each job that can be taken. */
  secretHashes: readonly Buffer[];
}

/** A taken job with its execution. */
export interface ClaimedJob extends TakenRow, DueExecution {
  /** Null if the attempt was not started. */
  startedAttempt: number | null;
  /** The place of its secret. */
  place: number;
  externalSystems: Record<string, string>;
}

type Values = Taking & ClaimStarts;

const taking = {
  queue: sql`(select wanted.queue from wanted)`,
  most: sql`(select wanted.most from wanted)`,
  highestPriority: sql`(select wanted.highest_priority from wanted)`,
  lastWorkflows: sql`(select wanted.last_workflows from wanted)`,
};

/** Conditions are evaluated by the engine, and retries that were paced wait for their turn. The engine also drops jobs that need no attempt. */
const startsAtOnce = sql`due.startable and (due.condition = '' or due.attempt > 0) and due.retry_host is null and due.due_in = 0`;

/** Without the limit, the planner would expect more jobs than a request can claim, and read whole tables. */
const takeAndStart = prepare<Values, ClaimedJob>((bind) => {
  const hashes = arrayOf(
    bind(({ secretHashes }) => secretHashes),
    'bytea',
  );
  return sql<ClaimedJob>`
    with wanted as materialized (
      select ${bind((values) => values.queue)}::text as queue, ${bind((values) => values.most)}::bigint as most,
        ${bind(({ highestPriority }) => highestPriority)}::integer as highest_priority,
        ${bind(({ lastWorkflows }) => lastWorkflows)}::text[] as last_workflows
    ), ${lockJobs(taking)}, placed as materialized (
      select taken.execution_id, (row_number() over ())::integer as place from taken limit ${sql.lit(maxClaims)}
    ), due as materialized (
      select ${dueColumns}, placed.place from placed join callback_executions as one on one.id = placed.execution_id${dueTables}
    ), ${clockSql}, given as materialized (
      select due.id as execution_id, due.experiment_id, due.attempt, null::bigint as version, (${hashes})[due.place] as secret_hash
      from due where ${startsAtOnce}
    ), ${lockGivenSql}, ${noneWaiting}, ${startGivenSql(bind(({ worker }) => worker))}, left_over as (
      ${activateJobs(taking.queue, sql`not exists (select from started where started.id = taken.execution_id)`)})
    select ${takenColumns(taking.most)}, started.attempt as "startedAttempt", ${externalSystemsSql} as "externalSystems", due.*
    from taken left join due on due.id = taken.execution_id left join started on started.id = due.id
    order by due.place`;
});

export const takeAndStartClaims = async (db: Db, wanted: Taking, starts: ClaimStarts): Promise<Taken<ClaimedJob>> =>
  takenOf(await takeAndStart(db, { ...wanted, ...starts }), wanted.most);
