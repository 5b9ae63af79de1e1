/** Reads of incidents: what needs somebody's attention, and what did. */
import type { incidentKinds, incidentStates } from '@milepost/api';
import type { Database } from '../database/connection.ts';
import { readList, type Order, type Page } from '../database/read-list.ts';
import { inScope, type Scope } from './scope.ts';

export interface IncidentFilter {
  kind: (typeof incidentKinds)[number] | undefined;
  experimentId: number | undefined;
  state: (typeof incidentStates)[number];
}

/**
 * What matches every part of the filter. One part leads: an experiment has few incidents, and a kind may be rare among many.
 * The leading one is left to `readList`, which spells it so that its own index is walked.
 */
export function listIncidents(
  database: Database,
  scope: Scope,
  { kind, experimentId, state }: IncidentFilter,
  page: Page,
) {
  const leading = leadingPart(kind, experimentId);
  const incidents = database.db
    .selectFrom('incidents')
    .innerJoin('experiments', 'experiments.id', 'incidents.experiment_id')
    .select(['incidents.id', 'incidents.kind', 'incidents.experiment_id', 'experiments.label as experiment_label'])
    .select(['incidents.action_id', 'incidents.execution_id', 'incidents.detail'])
    .select(['incidents.opened_at', 'incidents.closed_at'])
    .where(inScope(scope, 'experiments.cohort_id'))
    .$if(kind !== undefined && experimentId !== undefined, (q) => q.where('incidents.kind', '=', kind ?? 'brake'))
    .$if(state !== 'all', (q) => q.where('incidents.closed_at', state === 'open' ? 'is' : 'is not', null));
  return readList(database, incidents, { id: 'incidents.id', ...(leading && { parent: leading }) }, page);
}

function leadingPart(kind: string | undefined, experimentId: number | undefined): Order['parent'] {
  if (experimentId !== undefined) return { column: 'incidents.experiment_id', id: experimentId };
  return kind === undefined ? undefined : { column: 'incidents.kind', id: kind };
}
