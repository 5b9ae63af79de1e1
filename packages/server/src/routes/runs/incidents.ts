/** Incidents of experiments and queues. */
import type { incidentOperations } from '@milepost/api';
import { invalid } from '../../errors.ts';
import type { Handlers } from '../../http/call.ts';
import { listIncidents } from '../../store/runs/incidents.ts';
import { listAnswer } from '../lists.ts';
import { requireNamedObjects } from '../named-filters.ts';
import { describeCause } from './describe-cause.ts';

const onlyOpen = () =>
  invalid({ pointer: '?state', detail: '`cause_group` lists open incidents. Remove `state`, or set it to `open`.' });

export const incidentHandlers: Handlers<typeof incidentOperations> = {
  async listIncidents(call) {
    const { database, account, query, links } = call;
    const { kind, experiment_id: experimentId, state = 'open', cause_group: causeGroup, ...page } = query;
    if (causeGroup !== undefined && state !== 'open') throw onlyOpen();
    await requireNamedObjects(call, { experiment_id: { kind: 'experiment', id: experimentId } });
    const list = await listIncidents(database, account.scope, { kind, experimentId, state, causeGroup }, page);
    const linked = (collection: string, id: number | null) => (id === null ? null : links.idAndUri(collection, id));
    return listAnswer('incidents', list, (row) => {
      // An incident of a queue shows the caller's experiment whose run was created first.
      const { experiment_id: id, experiment_label: label, action_id, execution_id } = row.waiting ?? row;
      return {
        id: row.id,
        kind: row.kind,
        experiment: links.ref('experiments', { id: id ?? 0, label: label ?? '' }),
        action: linked('actions', action_id),
        execution: linked('callback_executions', execution_id),
        cause: row.cause,
        cause_group: row.cause_group,
        ...describeCause(row),
        opened_at: row.opened_at,
        closed_at: row.closed_at,
      };
    });
  },
};
