/**
 * Groups the open incidents of failed runs by callback and cause. It jumps from group to group along their index, so that a group
 * with 100,000 incidents costs no more than one with 1,000.
 */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { joinExperiment } from '../lateral-joins.ts';
import type { Scope } from '../scope.ts';
import { isListed, isNew, visibleExperiments, type ExperimentFilter, type ItemFilter } from './attention-filter.ts';

export interface AttentionGroup {
  cause_group: string;
  /** At most `maxInGroup`. */
  experiments: number;
  cohorts: number;
  new: number;
  /** The incident that was opened first. */
  incident_id: number;
}

/** One row without a group if there are none. */
type Read = (AttentionGroup | { cause_group: null }) & { read: number };

export interface AttentionGroups {
  groups: AttentionGroup[];
  /** Whether there can be more. */
  more: boolean;
}

export interface GroupFilter extends ExperimentFilter, ItemFilter {
  kind?: 'failed' | 'timed_out' | undefined;
}

export const maxInGroup = 1000;
/** Groups that are counted, also those outside of the scope. */
const maxCounted = 1000;
/** Groups that are listed. */
const maxGroups = 100;

const nextGroup = (after: ReturnType<typeof sql>) => sql`(
  select incidents.cause_group from incidents
  where incidents.closed_at is null and incidents.cause_group is not null ${after}
  order by incidents.cause_group limit 1)`;

const beginning = { began: sql`incidents.opened_at`, since: sql`incidents.opened_at` };
const ofKind = ({ kind }: GroupFilter) => (kind === undefined ? sql`true` : sql`incidents.kind = ${kind}`);

/** The largest groups first. */
export async function listAttentionGroups(db: Db, scope: Scope, filter: GroupFilter): Promise<AttentionGroups> {
  const { rows } = await sql<Read>`
    with recursive groups (cause_group, number) as (
      select ${nextGroup(sql``)}, 1
      union all
      select ${nextGroup(sql`and incidents.cause_group > groups.cause_group`)}, groups.number + 1
      from groups where groups.cause_group is not null and groups.number < ${sql.lit(maxCounted)})
    select largest.*, read.number as read from (select max(groups.number) as number from groups) as read left join (
    select groups.cause_group, counted.experiments, counted.cohorts, counted.new, counted.incident_id
    from groups cross join lateral (
      select count(*)::integer as experiments, count(distinct found.cohort_id)::integer as cohorts,
        count(*) filter (where found.new)::integer as new, min(found.id) as incident_id
      from (
        select incidents.id, experiments.cohort_id, ${isNew(filter, beginning)} as new
        from incidents ${joinExperiment('incidents.experiment_id')}
        where incidents.closed_at is null and incidents.cause_group = groups.cause_group
          and ${visibleExperiments(scope, filter)} and ${isListed(filter, beginning)} and ${ofKind(filter)}
        order by incidents.cause_group, incidents.id limit ${sql.lit(maxInGroup)}) as found
    ) as counted
    where counted.experiments > 0
    order by counted.experiments desc, counted.incident_id limit ${sql.lit(maxGroups + 1)}) as largest on true
    order by largest.experiments desc, largest.incident_id`.execute(db);
  const groups = rows.filter((row) => row.cause_group !== null).slice(0, maxGroups);
  return { groups, more: rows.length > maxGroups || rows.some(({ read }) => read >= maxCounted) };
}
