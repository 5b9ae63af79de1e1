/** Callbacks (specification, section 4, Callback executions and callbacks). */
import type { Callback, callbackOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { mapRows, type RowList } from '../../database/rows.ts';
import { inTransaction } from '../../database/transaction.ts';
import { changeCallback, type CallbackChange } from '../../engine/workflows/change-callback.ts';
import { layOutWorkflow } from '../../engine/workflows/lay-out-workflow.ts';
import { readArgumentsText } from '../../engine/workflows/read-arguments-text.ts';
import { ok, type Call, type Handlers, type TwoPhaseHandlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import * as callbacks from '../../store/workflows/callbacks.ts';
import { listCallbackExecutions } from '../../store/runs/executions.ts';
import { listAnswer } from '../lists.ts';
import { rejectChangedReference } from '../references/read-only-reference.ts';
import { showSaved } from '../show-saved.ts';

type Reading = Pick<typeof callbackOperations, 'listCallbacks' | 'getCallback'>;
type Changing = Pick<typeof callbackOperations, 'updateCallback'>;
type UpdateCall = Call<Changing['updateCallback']>;

export const callbackHandlers: Handlers<Reading> & TwoPhaseHandlers<Changing> = {
  async listCallbacks({ database, query, links }) {
    const list = await callbacks.listCallbacks(database, query);
    return listAnswer('callbacks', list, (row) => links.ref('callbacks', row));
  },

  async getCallback(call) {
    return answer(call, await callbacks.getCallback(call.database.db, call.params.id));
  },

  updateCallback: {
    async first(call) {
      const stored = await callbacks.getCallback(call.database.db, call.params.id);
      rejectChangedReference(call.body.state, stateOf(call, stored), {
        pointer: '/state',
        use: 'a workflow import',
      });
      const change = await readChange(call.body);
      return (later) => updateCallback(later, stored, change);
    },
  },
};

async function updateCallback(call: UpdateCall, stored: callbacks.CallbackRow, change: CallbackChange) {
  const { db } = call.database;
  const { author, requireVersion } = call;
  const revised = await inTransaction(db, (tx) => changeCallback(tx, { author, requireVersion }, stored, change));
  if (revised) {
    const onError = (error: unknown) => call.log.warn({ err: error }, 'failed to lay out the workflow graph');
    // Each revision has its own layout.
    call.afterCommit((later) => void layOutWorkflow(later, revised).catch(onError));
  }
  return showSaved(call, { uri: call.links.uri('callbacks', stored.id) }, async (reading) => {
    const row = await callbacks.getCallback(reading.database.db, stored.id);
    return { body: await showCallback(reading, row), version: row.version };
  });
}

const answer = async (call: Call, row: callbacks.CallbackRow) => ok(await showCallback(call, row), row.version);

/** Null clears a text. */
async function readChange(body: UpdateCall['body']): Promise<CallbackChange> {
  const { label, description, function: name, condition, callback_arguments: given, ...others } = body;
  const { initial_delay, run_timeout, wait_timeout, retry_for, retry_first } = others;
  const text = given === null ? '' : given;
  return {
    label,
    description: description === null ? '' : description,
    function: name,
    condition: condition === null ? '' : condition,
    callback_arguments: text === undefined ? undefined : await readArgumentsText(text, '/callback_arguments'),
    initial_delay,
    run_timeout,
    wait_timeout,
    retry_for,
    retry_first,
  };
}

const stateOf = ({ links }: Pick<Call, 'links'>, row: callbacks.CallbackRow) =>
  links.ref('states', { id: row.state_id, label: row.state_label });

/** `executions` reads the embedded list. By default, it contains all executions. */
export function showCallback(
  call: Call,
  row: callbacks.CallbackRow,
  executions = () => executionsOf(call, row.id),
): Promise<Static<typeof Callback>> {
  return present(call.fields, {
    uri: call.links.uri('callbacks', row.id),
    label: row.label,
    description: row.description,
    function: row.function,
    condition: row.condition,
    callback_arguments: row.callback_arguments,
    initial_delay: row.initial_delay,
    run_timeout: row.run_timeout,
    wait_timeout: row.wait_timeout,
    retry_for: row.retry_for,
    retry_first: row.retry_first,
    state: stateOf(call, row),
    executions,
  });
}

async function executionsOf(
  { database, account, links }: Call,
  id: number,
): Promise<RowList<{ id: number; uri: string }>> {
  const { rows } = await listCallbackExecutions(database, account.scope, id, {});
  return mapRows(rows, (execution) => links.idAndUri('callback_executions', execution.id));
}
