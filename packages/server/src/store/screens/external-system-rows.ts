/** The last checks of external systems, and what uses them. */
import { maxSystemCallbacks, maxSystemUses } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface SystemCheck {
  result: 'reachable' | 'unreachable' | 'not_allowed';
  checked_at: string;
  latency_ms: number | null;
  error: string | null;
  failing_since: string | null;
  last_error: string | null;
  last_error_at: string | null;
}

interface Labelled {
  id: number;
  label: string;
}

export interface SystemCallback {
  callback: Labelled;
  state: Labelled;
  workflow: Labelled;
}

export interface SystemUses {
  callbacks: number;
  workflows: number;
  first_callbacks: SystemCallback[];
  /** Null if they are not counted. */
  subjects: number | null;
  experiments: number | null;
}

export type ExternalSystemDetails = SystemUses & (SystemCheck | { [K in keyof SystemCheck]: null });

/**
 * In the order of the ids. One statement, whatever the number of systems. External IDs are counted in all cohorts, so only for users with
 * access to all of them.
 */
export async function readExternalSystemDetails(
  db: Db,
  ids: readonly number[],
  { countsLinks }: { countsLinks: boolean },
): Promise<ExternalSystemDetails[]> {
  const countLinks = (table: string) => (countsLinks ? linksOf(table) : sql`null::bigint`);
  const { rows } = await sql<ExternalSystemDetails>`
    select checks.result, checks.checked_at, checks.latency_ms, checks.error, checks.failing_since, checks.last_error,
      checks.last_error_at, callbacks_of_system.*,
      ${countLinks('external_subject_links')} as subjects, ${countLinks('external_experiment_links')} as experiments
    from unnest(${[...ids]}::bigint[]) with ordinality as page (id, place)
    join external_systems on external_systems.id = page.id
    left join external_system_checks as checks on checks.external_system_id = page.id
    cross join lateral (${callbacksOfSystem}) as callbacks_of_system
    order by page.place`.execute(db);
  return rows;
}

/**
 * A range instead of an equality, so that the order is not redundant: PostgreSQL would scan the whole table for a system with few IDs,
 * because it expects all systems to have the same number.
 */
const linksOf = (table: string) => sql`(
  select count(*) from (
    select from ${sql.table(table)} as links
    where links.external_system_id >= page.id and links.external_system_id <= page.id
    order by links.external_system_id limit ${sql.lit(maxSystemUses)}) as counted)`;

/** A callback can name a system in three ways: exactly, and twice in the legacy form. */
const maxNames = 3 * maxSystemUses;

const callbacksOfSystem = sql`
  select least(count(*), ${sql.lit(maxSystemUses)}) as callbacks, count(distinct numbered.workflow_id) as workflows,
    coalesce(json_agg(json_build_object(
      'callback', json_build_object('id', numbered.id, 'label', numbered.label),
      'state', json_build_object('id', numbered.state_id, 'label', numbered.state_label),
      'workflow', json_build_object('id', numbered.workflow_id, 'label', numbered.workflow_label)) order by numbered.place
    ) filter (where numbered.place <= ${sql.lit(maxSystemCallbacks)}), '[]') as first_callbacks
  from (
    select used.*, row_number() over (order by used.workflow_label, used.position, used.id) as place from (
      select distinct naming.* from (
        select callbacks.id, callbacks.label, states.position, states.id as state_id, states.label as state_label,
          workflows.id as workflow_id, workflows.label as workflow_label
        from callback_systems as named
        join callbacks on callbacks.id = named.callback_id and not callbacks.retired
        join states on states.id = callbacks.state_id and not states.retired
        join workflows on workflows.id = states.workflow_id
        where named.system_name in (external_systems.system_name, upper(external_systems.system_name))
          and (named.system_name = external_systems.system_name or named.in_capitals and not exists (
            select from external_systems as exact where exact.system_name = named.system_name))
        limit ${sql.lit(maxNames)}) as naming) as used) as numbered`;
