/** Callback executions (specification, section 4, Callback executions and callbacks), reports on them, and their attempts. */
import type { attemptOperations, CallbackExecution, executionOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { reportExecution, type Report } from '../../engine/runs/report-execution.ts';
import { maskDeep } from '../../functions/hide-secret.ts';
import { readsAttempt, wrongSecret } from '../../http/access/deferred-secret.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { everything, present, wants, within } from '../../http/field-mask.ts';
import * as executions from '../../store/runs/executions.ts';
import { executionParts, getShownExecution, type ShownExecution } from '../../store/runs/shown-execution.ts';
import { showAction } from '../experiments/actions.ts';
import { showCallback } from '../workflows/callbacks.ts';
import { showCohort } from '../study/cohorts.ts';
import { showExperiment } from '../experiments/experiments.ts';
import { engineContext, type EngineServices } from '../engine-context.ts';
import { listAnswer } from '../lists.ts';
import { readAliased } from '../references/read-aliased.ts';
import { showSubject } from '../study/subjects.ts';
import { showSaved } from '../show-saved.ts';

type ExecutionOperations = typeof executionOperations & typeof attemptOperations;

export const executionHandlers: Handlers<ExecutionOperations, EngineServices> = {
  async getCallbackExecution(call) {
    const row = await readExecution(call, call.params.id);
    // The secret of a replaced attempt no longer gives access.
    if (call.execution && call.execution.attempt !== row.attempt) throw wrongSecret();
    return ok(await presentExecution(call, row, { own: call.execution !== null }), row.version);
  },

  updateCallbackExecution: readsAttempt(async (call: ReportCall & EngineServices) => {
    const report = maskDeep(readReport(call.body), call.execution?.secret ?? '');
    await reportExecution(engineContext(call), call.params.id, call.execution ?? 'person', report);
    const uri = call.links.uri('callback_executions', call.params.id);
    return showSaved(call, { uri }, async (reading) => {
      const row = await readExecution(reading, call.params.id);
      return { body: await presentExecution(reading, row, { own: call.execution !== null }), version: row.version };
    });
  }),

  async listExecutionAttempts({ database, account, params, query }) {
    const { id } = await executions.getExecution(database.db, account.scope, params.id);
    const list = await executions.listAttempts(database, id, query);
    return listAnswer('attempts', list, ({ id: attempt, ...others }) => ({ attempt, ...others }));
  },
};

type ReportCall = Call<typeof executionOperations.updateCallbackExecution>;

/** Null clears a log. Read-only fields are ignored. */
function readReport(body: ReportCall['body']): Report {
  const { status, result, run_log, result_values } = body;
  const resultLog = readAliased(body, 'result_log', 'wait_log');
  return {
    ...(status !== undefined && { status }),
    ...(result !== undefined && { result }),
    ...(run_log !== undefined && { run_log: run_log ?? '' }),
    ...(resultLog && { result_log: resultLog.value ?? '' }),
    ...(result_values !== undefined && { result_values }),
  };
}

interface Viewer {
  /** The caller sent the secret of the execution and can see nothing else. */
  own: boolean;
}

/** Reads the parts that the caller requested. */
export const readExecution = ({ database, account, fields }: Call, id: number): Promise<ShownExecution> =>
  getShownExecution(
    database.db,
    account.scope,
    id,
    executionParts.filter((path) => wants(fields, ...path.split('.'))),
  );

/** Long lists are read only if the caller requested them, and streamed. */
export function presentExecution(
  call: Call,
  row: ShownExecution,
  { own }: Viewer,
): Promise<Static<typeof CallbackExecution>> {
  const { links } = call;
  return present(call.fields, {
    id: row.id,
    uri: links.uri('callback_executions', row.id),
    api_uri: links.apiUri('callback_executions', row.id),
    web_uri: links.webUri('callback_executions', row.id),
    ...relatedObjects(call, row, own),
    created: row.created,
    wait_start: row.wait_start,
    run_start: row.run_start,
    finished: row.finished,
    status: row.status,
    result: row.result,
    result_log: row.result_log,
    run_log: row.run_log,
    result_values: row.result_values,
    attempt: row.attempt,
    next_attempt_at: row.next_attempt_at,
    last_error: row.last_error,
    cause: row.cause,
    warnings: warningsOf(row),
  });
}

const warningsOf = ({ status, result }: executions.ExecutionRow): { message: string }[] =>
  status === 'finished' && result === 'none' ? [{ message: withoutResult }] : [];

const withoutResult =
  'The execution finished without a result. This is final and does not count as a success. ' +
  'Next time, send `result` before `finished` or with it.';

function relatedObjects(call: Call, row: ShownExecution, own: boolean) {
  const inside = (name: string): Call => ({ ...call, fields: within(call.fields, name) ?? everything });
  const lists = own ? ownLists(call, row) : {};
  return {
    action: () => showAction(inside('action'), row.action),
    callback: () => showCallback(inside('callback'), row.callback, lists.executions),
    cohort: () => showCohort(inside('cohort'), row.cohort, lists.subjects),
    experiment: () => showExperiment(inside('experiment'), row.experiment),
    subject: () => showSubject(inside('subject'), row.subject, lists.experiments),
    external_systems: row.external_systems,
  };
}

interface Lists {
  subjects?: () => Promise<Ref[]>;
  experiments?: () => Promise<Ref[]>;
  executions?: () => Promise<{ id: number; uri: string }[]>;
}

type Ref = ReturnType<Call['links']['ref']>;

/** Only the objects that belong to the execution. */
function ownLists({ links }: Call, row: executions.ExecutionRow): Lists {
  return {
    subjects: async () => [links.ref('subjects', { id: row.subject_id, label: row.subject_label })],
    experiments: async () => [links.ref('experiments', { id: row.experiment_id, label: row.experiment_label })],
    executions: async () => [links.idAndUri('callback_executions', row.id)],
  };
}
