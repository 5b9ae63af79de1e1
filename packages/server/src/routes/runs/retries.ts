/** Retries and re-evaluation. */
import type { retryOperations } from '@milepost/api';
import { evaluateExperiment } from '../../engine/runs/re-evaluate.ts';
import { retryExecution, retryExperiment } from '../../engine/runs/retry.ts';
import type { Call, Handlers } from '../../http/call.ts';
import { everything, within } from '../../http/field-mask.ts';
import { getAction } from '../../store/experiments/actions.ts';
import { showAction } from '../experiments/actions.ts';
import { engineContext, type EngineServices } from '../engine-context.ts';
import { showSaved } from '../show-saved.ts';

export const retryHandlers: Handlers<typeof retryOperations, EngineServices> = {
  async retryCallbackExecution(call) {
    return showNewAction(call, await retryExecution(engineContext(call), call.params.id, call.body.reason ?? ''));
  },

  async retryExperiment(call) {
    return showNewAction(call, await retryExperiment(engineContext(call), call.params.id, call.body.reason ?? ''));
  },

  async evaluateExperiment(call) {
    const { moved, state, actionId } = await evaluateExperiment(
      engineContext(call),
      call.params.id,
      call.body.reason ?? '',
    );
    return showSaved(call, { uri: call.links.uri('actions', actionId) }, async (reading) => {
      const inside = { ...reading, fields: within(call.fields, 'action') ?? everything };
      const action = await showAction(inside, await getAction(reading.database.db, call.account.scope, actionId));
      return { body: { moved, state: call.links.ref('states', state), action } };
    });
  },
};

const showNewAction = (call: Call, id: number) =>
  showSaved(call, { uri: call.links.uri('actions', id) }, async (reading) => ({
    body: await showAction(reading, await getAction(reading.database.db, call.account.scope, id)),
  }));
