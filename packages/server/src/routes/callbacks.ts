/** Callbacks (specification, section 4, Callback executions and callbacks). */
import type { Callback, callbackOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { mapMany, type Many } from '../database/rows.ts';
import { inTransaction } from '../database/transaction.ts';
import { changeCallback, type CallbackChange } from '../engine/definitions/change-callback.ts';
import { layOutWorkflow } from '../engine/definitions/lay-out-workflow.ts';
import { readArgumentsText } from '../engine/definitions/read-arguments-text.ts';
import { ok, type Call, type Handlers, type HandlersInTwoParts } from '../http/call.ts';
import { present } from '../http/field-mask.ts';
import * as callbacks from '../store/callbacks.ts';
import { listCallbackExecutions } from '../store/executions.ts';
import { listAnswer } from './lists.ts';
import { refuseOtherReference } from './read-only-reference.ts';

type Reading = Pick<typeof callbackOperations, 'listCallbacks' | 'getCallback'>;
type Changing = Pick<typeof callbackOperations, 'updateCallback'>;
type UpdateCall = Call<Changing['updateCallback']>;

export const callbackHandlers: Handlers<Reading> & HandlersInTwoParts<Changing> = {
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
      refuseOtherReference(call.body.state, stateOf(call, stored), {
        pointer: '/state',
        use: 'an import of the workflow',
      });
      const change = await readChange(call.body);
      return (later) => updateCallback(later, stored, change);
    },
  },
};

async function updateCallback(call: UpdateCall, stored: callbacks.CallbackRow, change: CallbackChange) {
  const { db } = call.database;
  const { author, holdVersion } = call;
  const revised = await inTransaction(db, (tx) => changeCallback(tx, { author, holdVersion }, stored, change));
  if (revised) {
    const onError = (error: unknown) => call.log.warn({ err: error }, 'a workflow has no picture');
    // The picture is that of a revision, and the one before may not have its own yet.
    call.afterCommit((later) => void layOutWorkflow(later, revised).catch(onError));
  }
  return answer(call, await callbacks.getCallback(db, stored.id));
}

const answer = async (call: Call, row: callbacks.CallbackRow) => ok(await showCallback(call, row), row.version);

/** A text of null is cleared. */
async function readChange(body: UpdateCall['body']): Promise<CallbackChange> {
  const { label, description, function: name, condition, callback_arguments: given, ...others } = body;
  const { initial_delay, run_timeout, wait_timeout } = others;
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
  };
}

const stateOf = ({ links }: Pick<Call, 'links'>, row: callbacks.CallbackRow) =>
  links.ref('states', { id: row.state_id, label: row.state_label });

/** `executions` gives the list inside; all of them, where it is left out. */
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
    state: stateOf(call, row),
    executions,
  });
}

async function executionsOf(
  { database, account, links }: Call,
  id: number,
): Promise<Many<{ id: number; uri: string }>> {
  const { rows } = await listCallbackExecutions(database, account.scope, id, {});
  return mapMany(rows, (execution) => links.idAndUri('callback_executions', execution.id));
}
