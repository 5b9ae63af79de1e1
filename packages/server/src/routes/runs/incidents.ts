/** Incidents of experiments. */
import type { incidentOperations } from '@milepost/api';
import type { Handlers } from '../../http/call.ts';
import { listIncidents } from '../../store/runs/incidents.ts';
import { listAnswer } from '../lists.ts';
import { requireNamedObjects } from '../named-filters.ts';

export const incidentHandlers: Handlers<typeof incidentOperations> = {
  async listIncidents(call) {
    const { database, account, query, links } = call;
    const { kind, experiment_id: experimentId, state = 'open', ...page } = query;
    await requireNamedObjects(call, { experiment_id: { kind: 'experiment', id: experimentId } });
    const list = await listIncidents(database, account.scope, { kind, experimentId, state }, page);
    const linked = (collection: string, id: number | null) => (id === null ? null : links.idAndUri(collection, id));
    return listAnswer('incidents', list, (row) => ({
      id: row.id,
      kind: row.kind,
      experiment: links.ref('experiments', { id: row.experiment_id, label: row.experiment_label }),
      action: linked('actions', row.action_id),
      execution: linked('callback_executions', row.execution_id),
      detail: row.detail,
      opened_at: row.opened_at,
      closed_at: row.closed_at,
    }));
  },
};
