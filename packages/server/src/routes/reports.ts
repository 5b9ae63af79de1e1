/** Reports on executions, retries, re-evaluation and the timeout check (specification, section 4). */
import type { callbackOperations, retryOperations, serviceOperations } from '@milepost/api';
import { checkTimeouts } from '../engine/executions/check-timeouts.ts';
import { evaluateExperiment } from '../engine/executions/evaluate.ts';
import { reportExecution, type Report } from '../engine/executions/report-execution.ts';
import { retryExecution, retryExperiment } from '../engine/executions/retry.ts';
import { maskDeep } from '../functions/mask.ts';
import { ok, type Call, type Handlers } from '../http/call.ts';
import { everything, within } from '../http/field-mask.ts';
import { getAction } from '../store/actions.ts';
import { getExecution } from '../store/executions.ts';
import { showAction } from './actions.ts';
import { presentExecution } from './callback-executions.ts';
import { engineContext } from './experiments.ts';

type Reporting = Pick<typeof callbackOperations, 'updateCallbackExecution'> &
  typeof retryOperations &
  Pick<typeof serviceOperations, 'checkTimeouts'>;

export const reportHandlers: Handlers<Reporting> = {
  async updateCallbackExecution(call) {
    const reporter = call.execution ? { attempt: call.execution.attempt } : ('person' as const);
    const report = maskDeep(readReport(call.body), call.execution?.secret ?? '');
    await reportExecution(engineContext(call), call.params.id, reporter, report);
    const row = await getExecution(call.database.db, call.account.scope, call.params.id);
    return ok(await presentExecution(call, row, { own: call.execution !== null }), row.version);
  },

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
    const inside = { ...call, fields: within(call.fields, 'action') ?? everything };
    const action = await showAction(inside, await getAction(call.database.db, call.account.scope, actionId));
    return ok({ moved, state: call.links.ref('states', state), action });
  },

  async checkTimeouts(call) {
    return ok(await checkTimeouts(engineContext(call)));
  },
};

const showNewAction = async (call: Call, id: number) =>
  ok(await showAction(call, await getAction(call.database.db, call.account.scope, id)));

type ReportCall = Parameters<Handlers<Reporting>['updateCallbackExecution']>[0];

/** Null clears a field, and an absent field keeps its value. Read-only fields are ignored. */
function readReport({ status, result, run_log, result_log, result_values }: ReportCall['body']): Report {
  return {
    ...(status !== undefined && { status }),
    ...(result !== undefined && { result }),
    ...(run_log !== undefined && { run_log: run_log ?? '' }),
    ...(result_log !== undefined && { result_log: result_log ?? '' }),
    ...(result_values !== undefined && { result_values: result_values ?? {} }),
  };
}
