/** SQL to open and close incidents (rule 16). An experiment has at most one open incident of each kind. */
import { sql } from 'kysely';
import type { Columns } from '../../../database/given-rows.ts';

/** The kinds of incidents of experiments. `unclaimed` is a kind of queues. */
export type IncidentKind = 'brake' | 'failed' | 'timed_out' | 'no_way_on';

export interface IncidentChange {
  /** Opened, or kept open. All others are closed. */
  open?: { kind: IncidentKind; actionId: number; executionId: number | null; detail: string } | undefined;
}

export const incidentColumns: Columns<IncidentChange> = {
  closes_incidents: { type: 'boolean', of: () => true },
  incident_kind: { type: 'text', of: ({ open }) => open?.kind ?? '' },
  incident_action_id: { type: 'bigint', of: ({ open }) => open?.actionId },
  incident_execution_id: { type: 'bigint', of: ({ open }) => open?.executionId },
  incident_detail: { type: 'text', of: ({ open }) => open?.detail },
};

export const closeIncidentsSql = sql`closed as (
  update incidents set closed_at = greatest(moved.now, incidents.opened_at)
  from moved
  where moved.closes_incidents and incidents.experiment_id = moved.experiment_id and incidents.closed_at is null
    and incidents.kind <> moved.incident_kind)`;

/** The statement sees executions as they were before it, so the key of the execution that it changes is among its values. */
const changedKey = sql`case when one.id = moved.execution_id and moved.cause is not null then moved.cause_key else one.cause_key end`;

/** Incidents of failed runs have the same group if callback and cause are the same. `cause`: a change sets one. */
export const openIncidentsSql = ({ cause }: { cause: boolean }) => sql`opened as (
  insert into incidents (experiment_id, kind, opened_at, action_id, execution_id, detail, cause_group)
  select moved.experiment_id, moved.incident_kind, moved.now, moved.incident_action_id, moved.incident_execution_id,
    moved.incident_detail, one.callback_id || '-' || coalesce(${cause ? changedKey : sql`one.cause_key`}, 'none')
  from moved left join callback_executions as one
    on one.id = moved.incident_execution_id and moved.incident_kind in ('failed', 'timed_out')
  where moved.incident_action_id is not null
  on conflict (experiment_id, kind) where closed_at is null do nothing)`;
