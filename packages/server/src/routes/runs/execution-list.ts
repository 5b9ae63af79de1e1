/** The list of callback executions. */
import { defaultExecutions, type executionListOperations } from '@milepost/api';
import type { Handlers } from '../../http/call.ts';
import { listExecutions } from '../../store/runs/execution-list.ts';
import { listAnswer } from '../lists.ts';

export const executionListHandlers: Handlers<typeof executionListOperations> = {
  async listCallbackExecutions({ database, account, query, links }) {
    // The result of an open execution can still change.
    const { result, status = result && 'finished', limit = defaultExecutions, ...page } = query;
    const filter = { ...(status && { status }), ...(result && { result }) };
    const list = await listExecutions(database, account.scope, filter, { ...page, limit });
    return listAnswer('callback_executions', list, (row) => ({
      id: row.id,
      uri: links.uri('callback_executions', row.id),
      callback: links.ref('callbacks', { id: row.callback_id, label: row.callback_label }),
      experiment: links.ref('experiments', { id: row.experiment_id, label: row.experiment_label }),
      status: row.status,
      result: row.result,
      created: row.created,
      run_start: row.run_start,
      finished: row.finished,
      attempt: row.attempt,
    }));
  },
};
