/** Actions (specification, section 4, Actions). */
import type { Action, actionOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { inTransaction } from '../../database/transaction.ts';
import { invalid } from '../../errors.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import type { Links } from '../../links.ts';
import * as actions from '../../store/experiments/actions.ts';
import { getExperiment, raiseVersion } from '../../store/experiments/experiments.ts';
import { differing, recordChange } from '../../store/record/record-change.ts';
import { listAnswer } from '../lists.ts';
import { showSaved } from '../show-saved.ts';

export const actionHandlers: Handlers<typeof actionOperations> = {
  async listActions({ database, account, query, links }) {
    const list = await actions.listActions(database, account.scope, {}, query);
    return listAnswer('actions', list, (row) => summarise(links, row));
  },

  async getAction(call) {
    const action = await actions.getAction(call.database.db, call.account.scope, call.params.id);
    return ok(await showAction(call, action), action.version);
  },

  async updateAction(call) {
    const action = await inTransaction(call.database.db, async (tx) => {
      const stored = await actions.lockAction(tx, call.account.scope, call.params.id);
      call.requireVersion(stored.version);
      const { end_time: endTime, return_value: returnValue, success } = call.body;
      const changes = differing<actions.ActionCorrection>(stored, {
        end_time: endTime,
        return_value: returnValue === null ? '' : returnValue,
        success,
      });
      if (!changes) return stored;
      rejectEarlyEnd({ ...stored, ...changes });
      await actions.updateAction(tx, stored.id, changes);
      await raiseVersion(tx, stored.experiment_id);
      const place = { objectKind: 'action', objectId: stored.id, cohortId: stored.cohort_id };
      await recordChange(tx, call.author, { ...place, before: stored, after: changes });
      return actions.getAction(tx, call.account.scope, stored.id);
    });
    return showSaved(call, { uri: call.links.uri('actions', action.id) }, async (reading) => ({
      body: await showAction(reading, action),
      version: action.version,
    }));
  },

  async listExperimentActions({ database, account, params, query, links }) {
    const { id } = await getExperiment(database.db, account.scope, params);
    const list = await actions.listActions(database, account.scope, { experimentId: id }, query);
    return listAnswer('actions', list, (row) => summarise(links, row));
  },
};

function rejectEarlyEnd({ start_time, end_time }: Pick<actions.ActionRow, 'start_time' | 'end_time'>): void {
  if (end_time !== null && Date.parse(end_time) < Date.parse(start_time)) {
    throw invalid({
      pointer: '/end_time',
      detail: `/end_time must not be before the start time ${start_time}, but is ${end_time}.`,
    });
  }
}

const summarise = (links: Links, row: { id: number; return_value: string; success: boolean }) => ({
  id: row.id,
  return_value: row.return_value,
  success: row.success,
  uri: links.uri('actions', row.id),
});

/** `row.executions` has the ids of the embedded list. By default, they are read. */
export function showAction(
  { database, links, fields }: Call,
  row: actions.ActionRow & { executions?: readonly number[] },
): Promise<Static<typeof Action>> {
  return present(fields, {
    id: row.id,
    uri: links.uri('actions', row.id),
    api_uri: links.apiUri('actions', row.id),
    web_uri: links.webUri('actions', row.id),
    start_time: row.start_time,
    end_time: row.end_time,
    return_value: row.return_value,
    success: row.success,
    freetext: row.freetext,
    experiment: links.ref('experiments', { id: row.experiment_id, label: row.experiment_label }),
    transition: links.idAndUri('transitions', row.transition_id),
    executions: async () => {
      const ids = row.executions ?? (await actions.readExecutionIds(database.db, row.id));
      return ids.map((id) => links.idAndUri('callback_executions', id));
    },
    retry_of: row.retry_of === null ? null : links.idAndUri('actions', row.retry_of),
  });
}
