/** SQL to open and close incidents (rule 16). An experiment has at most one open incident of each kind. */
import { sql } from 'kysely';

/** The kinds of incidents of experiments. `unclaimed` is a kind of queues. */
export type IncidentKind = 'brake' | 'failed' | 'timed_out' | 'no_way_on';

export interface IncidentChange {
  /** Opened, or kept open. All others are closed. */
  open?: { kind: IncidentKind; actionId: number; executionId: number | null; detail: string } | undefined;
}

export const closeIncidentsSql = ({ open }: IncidentChange) => sql`closed as (
  update incidents set closed_at = greatest(clock.now, incidents.opened_at)
  from moved cross join clock
  where incidents.experiment_id = moved.id and incidents.closed_at is null and incidents.kind <> ${open?.kind ?? ''})`;

export const openIncidentSql = ({ open }: IncidentChange) =>
  open === undefined
    ? []
    : [
        sql`opened as (
          insert into incidents (experiment_id, kind, opened_at, action_id, execution_id, detail)
          select moved.id, ${open.kind}, clock.now, ${open.actionId}, ${open.executionId}::bigint, ${open.detail}
          from moved cross join clock
          on conflict (experiment_id, kind) where closed_at is null do nothing)`,
      ];
