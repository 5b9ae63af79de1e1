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

export const openIncidentsSql = sql`opened as (
  insert into incidents (experiment_id, kind, opened_at, action_id, execution_id, detail)
  select moved.experiment_id, moved.incident_kind, moved.now, moved.incident_action_id, moved.incident_execution_id,
    moved.incident_detail
  from moved where moved.incident_action_id is not null
  on conflict (experiment_id, kind) where closed_at is null do nothing)`;
