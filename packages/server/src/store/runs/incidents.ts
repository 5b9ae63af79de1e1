/** Reads incidents of experiments and queues. */
import { incidentKinds, type incidentStates } from '@milepost/api';
import { sql } from 'kysely';
import type { Database, Db } from '../../database/connection.ts';
import { readList, type Order, type Page } from '../../database/read-list.ts';
import { inScope, type Scope } from '../scope.ts';
import { incidentCause } from './shown-cause.ts';
import { ownWaiting, type OwnWaiting } from './queue-incidents.ts';

export interface IncidentFilter {
  kind: (typeof incidentKinds)[number] | undefined;
  experimentId: number | undefined;
  state: (typeof incidentStates)[number];
  /** The incidents of failed runs with the same callback and cause. */
  causeGroup?: string | undefined;
}

/**
 * Lists the incidents that match all parts of the filter. The experiment or the kind is passed to `readList`, so that its index
 * is scanned. An experiment has few incidents, and a kind can be rare.
 */
export function listIncidents(
  database: Database,
  scope: Scope,
  { kind, experimentId, state, causeGroup }: IncidentFilter,
  page: Page,
) {
  const leading = leadingPart({ kind, experimentId, state, causeGroup });
  const incidents = database.db
    .selectFrom('incidents')
    .leftJoin('experiments', 'experiments.id', 'incidents.experiment_id')
    .select(['incidents.id', 'incidents.kind', 'incidents.experiment_id', 'experiments.label as experiment_label'])
    .select(['incidents.action_id', 'incidents.execution_id', 'incidents.queue', 'incidents.detail'])
    .select(['incidents.cause_group', incidentCause.as('cause')])
    .select(['incidents.opened_at', 'incidents.closed_at'])
    .select(
      sql<OwnWaiting | null>`case when incidents.queue is not null
      then (select to_jsonb(waiting) from (${ownWaiting(scope)}) as waiting) end`.as('waiting'),
    )
    .where(sql<boolean>`case when incidents.queue is null then ${inScope(scope, 'experiments.cohort_id')}
      else exists (${ownWaiting(scope)}) end`)
    .$if(kind !== undefined && leading?.column !== 'incidents.kind', (q) =>
      q.where('incidents.kind', '=', kind ?? 'brake'),
    )
    .$if(causeGroup !== undefined, (q) => q.where('incidents.cause_group', '=', causeGroup ?? ''))
    .$if(state !== 'all', (q) => q.where('incidents.closed_at', state === 'open' ? 'is' : 'is not', null));
  return readList(database, incidents, { id: 'incidents.id', ...(leading && { parent: leading }) }, page);
}

function leadingPart({ kind, experimentId, state, causeGroup }: IncidentFilter): Order['parent'] {
  if (experimentId !== undefined) return { column: 'incidents.experiment_id', id: experimentId };
  // Only open incidents are in the index of groups.
  if (causeGroup !== undefined && state === 'open') return { column: 'incidents.cause_group', id: causeGroup };
  return kind === undefined ? undefined : { column: 'incidents.kind', id: kind };
}

/** The most open incidents of a kind that are counted, so that a count is cheap whatever their number. */
export const maxCountedIncidents = 10_000;

export interface OpenIncidents {
  kind: (typeof incidentKinds)[number];
  open: number;
}

/** Counts the open incidents of each kind in their index. */
export async function countOpenIncidents(db: Db): Promise<OpenIncidents[]> {
  const { rows } = await sql<OpenIncidents>`
    select wanted.kind, (select count(*)::integer from (
      select from incidents where incidents.kind = wanted.kind and incidents.closed_at is null
      limit ${maxCountedIncidents}) as found) as open
    from unnest(${[...incidentKinds]}::text[]) as wanted (kind)`.execute(db);
  return rows;
}
