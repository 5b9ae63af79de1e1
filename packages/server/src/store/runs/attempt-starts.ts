/** Starts of attempts. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { arrayOf, rowsOf, type Columns } from '../../database/given-rows.ts';
import { prepare, type Prepared } from '../../database/prepare.ts';
import { deleteJobs } from '../../jobs/insert-jobs.ts';
import { variablesSql } from '../experiments/experiments.ts';
import { experimentIds, externalValuesSql, subjectIds } from '../study/external-values.ts';
import { externalSystemsSql } from './attempts.ts';
import { noteStartsSql } from './queue-progress.ts';
import { applyPaceSql, defaultRetriesPerSecond, lockPaceSql } from './retry-pace.ts';

/** The execution of a job, with everything that its run needs. */
export interface DueExecution {
  id: number;
  /** Whether an attempt can start once it is due: none has started, or a retry is scheduled, and its action is the latest. */
  startable: boolean;
  /** Seconds until the attempt can start. 0 if it is due. */
  due_in: number;
  /** The host that the last attempt could not reach. */
  retry_host: string | null;
  attempt: number;
  created: string;
  /** Seconds since the first attempt started. */
  running_seconds: number;
  workflow_id: number;
  /** Whether its action is part of a bulk move. */
  bulk: boolean;
  experiment_id: number;
  action_id: number;
  label: string;
  function: string;
  queue: string;
  callback_arguments: Record<string, unknown>;
  condition: string;
  wait_timeout: number;
  experiment_label: string;
  experiment_external_ids: Record<string, string>;
  experiment_variables: Record<string, unknown>;
  subject_id: number;
  subject_label: string;
  subject_external_ids: Record<string, string>;
  cohort_id: number;
  cohort_label: string;
}

/** The columns of a due execution. */
export const dueColumns = sql`one.id, one.attempt, one.created, one.retry_host, experiments.id as experiment_id, actions.id as action_id,
  experiments.workflow_id, actions.bulk,
  coalesce(extract(epoch from clock_timestamp() - one.run_start), 0)::float as running_seconds,
  callback_versions.label, callback_versions.function, callback_versions.queue, callback_versions.callback_arguments,
  callback_versions.condition, callback_versions.wait_timeout, experiments.label as experiment_label,
  ${externalValuesSql(experimentIds, sql.ref('experiments.id'))} as experiment_external_ids,
  ${variablesSql(sql.ref('experiments.id'))} as experiment_variables,
  subjects.id as subject_id, subjects.label as subject_label,
  ${externalValuesSql(subjectIds, sql.ref('subjects.id'))} as subject_external_ids,
  cohorts.id as cohort_id, cohorts.label as cohort_label,
  (one.status in ('created', 'queued') or (one.status = 'running' and one.next_attempt_at is not null))
    and actions.sequence = experiments.action_sequence as startable,
  greatest(0, coalesce(extract(epoch from one.next_attempt_at - now()), 0))::float as due_in`;

/** Their tables, beside that of the execution `one`. */
export const dueTables = sql`
  join callback_versions
    on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
  join actions on actions.id = one.action_id
  join experiments on experiments.id = actions.experiment_id
  join subjects on subjects.id = experiments.subject_id
  join cohorts on cohorts.id = experiments.cohort_id`;

const findDue = prepare<readonly number[], DueExecution>((bind) => {
  const ids = arrayOf(
    bind((all) => all),
    'bigint',
  );
  return sql<DueExecution>`
    select ${dueColumns} from callback_executions as one${dueTables} where one.id = any(${ids}) order by one.id`;
});

export const listDueExecutions = (db: Db, ids: readonly number[]): Promise<DueExecution[]> => findDue(db, ids);

export interface AttemptStart {
  executionId: number;
  experimentId: number;
  /** The attempt that was read. The start is dropped if it has changed. */
  attempt: number;
  /** The experiment's version, if a condition was evaluated. */
  version: number | null;
  retryHost: string | null;
  secretHash: Buffer;
}

export interface StartedAttempt {
  id: number;
  /** Null if the retry was postponed, because too many retries to its host start at the same time. */
  attempt: number | null;
}

export interface StartedAttempts {
  attempts: StartedAttempt[];
  /** The URL of each external system by name, in the snapshot of the statement that starts the attempts. */
  externalSystems: Readonly<Record<string, string>>;
}

/**
 * Starts several attempts at once. Skips executions that were started, resolved or superseded in the meantime, and those whose
 * experiment or workflow is locked, so that one of them does not delay the others. While an import locks a workflow, no run of it
 * could record its end and free its slot.
 */
export async function writeAttemptStarts(
  db: Db,
  starts: readonly AttemptStart[],
  worker: string,
  retriesPerSecond = defaultRetriesPerSecond,
): Promise<StartedAttempts> {
  if (starts.length === 0) return { attempts: [], externalSystems: {} };
  const hosts = [...new Set(starts.flatMap(({ retryHost }) => retryHost ?? []))];
  const [written] = await statements[hosts.length > 0 ? 'paced' : 'unpaced'](db, {
    starts,
    worker,
    hosts,
    retriesPerSecond,
  });
  return written ?? { attempts: [], externalSystems: {} };
}

interface Starting {
  starts: readonly AttemptStart[];
  worker: string;
  /** Those of retries. */
  hosts: readonly string[];
  retriesPerSecond: number;
}

const columns: Columns<AttemptStart> = {
  execution_id: { type: 'bigint', of: ({ executionId }) => executionId },
  experiment_id: { type: 'bigint', of: ({ experimentId }) => experimentId },
  attempt: { type: 'integer', of: ({ attempt }) => attempt },
  version: { type: 'bigint', of: ({ version }) => version },
  secret_hash: { type: 'bytea', of: ({ secretHash }) => secretHash },
};

const prepareStarts = ({ paced }: { paced: boolean }): Prepared<Starting, StartedAttempts> =>
  prepare((bind) => {
    const hosts = bind((values) => values.hosts);
    const perSecond = bind(({ retriesPerSecond }) => retriesPerSecond);
    return sql<StartedAttempts>`
    with ${paced ? lockPaceSql(hosts) : clockSql},
    ${rowsOf('given', bind, columns, ({ starts }) => starts, { one: false })},
    ${lockGivenSql}, ${paced ? applyPaceSql(perSecond) : noneWaiting}, ${startGivenSql(bind(({ worker }) => worker))}
    select ${externalSystemsSql} as "externalSystems", (
      select coalesce(json_agg(json_build_object('id', one.id, 'attempt', one.attempt) order by one.id), '[]')
      from (
        select started.id, started.attempt from started
        union all select waiting.id, null from waiting) as one) as attempts`;
  });

export const clockSql = sql`clock as materialized (select clock_timestamp() as now)`;
export const noneWaiting = sql`waiting as (select null::bigint as id where false)`;
const statements = { paced: prepareStarts({ paced: true }), unpaced: prepareStarts({ paced: false }) };

/** Locks the experiments of the executions in `given`, and shares their workflows. Skips those that are locked. */
export const lockGivenSql = sql`locked as materialized (
    select experiments.id, experiments.version, experiments.cohort_id, experiments.workflow_id, experiments.action_sequence
    from experiments join workflows on workflows.id = experiments.workflow_id
    where experiments.id = any(array(select given.experiment_id from given)) order by experiments.id
    for no key update of experiments skip locked for key share of workflows skip locked
  ), raised as (
    update experiments set version = experiments.version + 1 from locked where experiments.id = locked.id)`;

/** Starts attempts of the executions in `given` whose experiments are in `locked`, except those in `waiting`. */
export const startGivenSql = (worker: RawBuilder<unknown>) => sql`started as (
    update callback_executions as one
    set status = 'running', result = 'none', attempt = one.attempt + 1, next_attempt_at = null, version = one.version + 1,
      run_start = coalesce(one.run_start, greatest(clock.now, one.created)),
      retry_host = null, retry_slot = false,
      deadline = case when one.run_start is not null
          then one.deadline + greatest(interval '0', clock.now - one.next_attempt_at)
        when callback_versions.run_timeout > 0 then clock.now + callback_versions.run_timeout * interval '1 minute' end
    from given join locked on locked.id = given.experiment_id and coalesce(given.version = locked.version, true)
      join actions on actions.experiment_id = locked.id and actions.sequence = locked.action_sequence
      cross join clock cross join callback_versions
    where one.id = given.execution_id and one.attempt = given.attempt and one.action_id = actions.id
      and one.id not in (select waiting.id from waiting)
      and (one.status in ('created', 'queued') or (one.status = 'running' and one.next_attempt_at is not null))
      and callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    returning one.id, one.attempt, callback_versions.queue, given.secret_hash, locked.id as experiment_id, locked.cohort_id,
      locked.workflow_id, actions.bulk
  ), attempts as (
    insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at, heartbeat_at)
    select started.id, started.attempt, started.secret_hash, ${worker}, clock.now, clock.now from started cross join clock
  ), ${noteStartsSql}, announced as (
    insert into events (kind, object_kind, object_id, cohort_id, data)
    select 'startExecution', 'callback_execution', started.id, started.cohort_id,
      jsonb_build_object('attempt', started.attempt, 'experiment_id', started.experiment_id)
    from started
  ), removed as (${deleteJobs(sql`select started.id, started.queue from started`)})`;
