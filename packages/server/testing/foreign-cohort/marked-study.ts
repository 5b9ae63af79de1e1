/** A cohort with every kind of data, and a mark in each of its texts. marked-ids.ts marks the ids. */
import { runBulkOperations } from '../../src/engine/bulk/run-bulk-operations.ts';
import { countAllInsights } from '../count-insights.ts';
import { rebuildInsights } from '../../src/store/insights/progress.ts';
import { engineContext } from '../engine-context.ts';
import type { Parts, TestServer } from '../server.ts';
import { makeImports } from './marked-imports.ts';

export type Study = Awaited<ReturnType<typeof makeStudy>>;

export const systemName = 'XNAT';
export const protocol = 'T1w';
export const workflowLabel = 'brain';
const queue = 'checks';

const definition = `
label: ${workflowLabel}
states:
  - label: arrived
    transitions: [{destination: checked}]
  - label: checked
    callbacks: [{label: check, function: worker, callback_arguments: {queue: ${queue}}}]
    transitions: [{destination: done, condition: "experiment.variables['usable'] == true"}]
  - {label: done}
`;

/** Creates the data that all cohorts share. */
export async function makeShared(server: TestServer) {
  await server.sql(`insert into external_systems (system_name, url) values ($1, 'https://xnat.example.org')`, [
    systemName,
  ]);
  await server.sql(`insert into scantypes (modality, protocol) values ('MR', $1)`, [protocol]);
  const workflow = await callOk(server, 'importWorkflow', { body: { workflow_definition: definition } });
  const { states } = await callOk(server, 'listWorkflowStates', { params: { workflow_label: workflowLabel } });
  const [arrived, checked] = states;
  const { callbacks } = await callOk(server, 'listCallbacks');
  return { workflow, arrived, checked, callback: callbacks[0] };
}

type Shared = Awaited<ReturnType<typeof makeShared>>;

/** Returns the body of a response that must be a success. */
async function callOk(server: TestServer, name: Parameters<TestServer['call']>[0], parts: Parts = {}) {
  const { status, body } = await server.call(name, parts);
  if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
  return body;
}

export async function makeStudy(server: TestServer, shared: Shared, mark: string) {
  const make = (name: Parameters<TestServer['call']>[0], parts: Parts) => callOk(server, name, parts);
  const marked = (what: string) => `${mark} ${what}`;
  const cohort = await make('createCohort', { body: { label: marked('cohort'), description: marked('about') } });
  const subjectBody = { label: marked('subject'), cohort_label: cohort.label, date_of_birth: '1951-03-08' };
  const subject = await make('createSubject', { body: subjectBody });
  const withdrawn = await make('createSubject', { body: { ...subjectBody, label: marked('withdrawn') } });
  const body = { label: marked('experiment'), subject_id: subject.id, workflow_label: workflowLabel };
  const experiment = await make('createExperiment', { body: { ...body, scandate: '2026-02-17' } });
  const its = { params: { id: experiment.id } };
  await make('addCohortExternalUrls', {
    params: { id: cohort.id },
    body: { external_urls: { [systemName]: `https://x.org/${mark}` } },
  });
  const subjectLinkBody = { subject_id: subject.id, external_id: marked('id of subject'), external_system: systemName };
  const subjectLink = await make('createExternalSubjectLink', { body: subjectLinkBody });
  const linkBody = { experiment: experiment.id, external_id: marked('id of experiment'), external_system: systemName };
  const experimentLink = await make('createExternalExperimentLink', { body: linkBody });
  const scan = await make('createScan', { body: { experiment_id: experiment.id, scantype_protocol: protocol } });
  await make('addNote', { ...its, body: { text: marked('note') } });
  await make('snoozeExperiment', { ...its, body: { until: '2999-01-01T00:00:00Z', note: marked('snooze') } });
  const variable = { value: marked('value'), reason: marked('reason') };
  await make('setExperimentVariable', { params: { ...its.params, name: 'seen' }, body: variable });
  await make('setExperimentState', { ...its, body: { state_label: 'checked', freetext: marked('freetext') } });
  const second = await make('createExperiment', { body: { ...body, label: marked('second') } });
  await make('setExperimentState', { params: { id: second.id }, body: { state_label: 'checked' } });
  const { execution, open } = await failFirst(server, marked);
  const { actions } = await make('listExperimentActions', its);
  const action = actions.at(-1);
  await make('updateAction', { params: { id: action.id }, body: { return_value: marked('return') } });
  await make('withdrawSubject', {
    params: { id: withdrawn.id },
    body: { reason: marked('withdrawal'), date: '2026-03-01' },
  });
  const erasure = await make('requestErasure', { params: { id: withdrawn.id }, body: { reason: marked('erasure') } });
  const named = marked('view').replaceAll('"', String.raw`\"`);
  const view = await make('createView', {
    body: { name: marked('view'), query: `"${named}"`, columns: [marked('column')], cohort_id: cohort.id },
  });
  const longWork = await makeLongWork(server, { experiment, cohort }, marked);
  await makeMany(server, { mark, cohortId: cohort.id, stateId: shared.arrived.id, workflowId: shared.workflow.id });
  return {
    ...shared,
    mark,
    cohort,
    subject,
    withdrawn,
    experiment,
    subjectLink,
    experimentLink,
    scan,
    action,
    execution,
    second,
    open,
    erasure,
    view,
    ...longWork,
  };
}

interface Changed {
  experiment: { id: number };
  cohort: { id: number };
}

/** A note that was checked, a move that is refused, and imports. */
async function makeLongWork(server: TestServer, { experiment, cohort }: Changed, marked: (what: string) => string) {
  const create = (body: object) =>
    callOk(server, 'createBulkOperation', {
      body: { experiment_ids: [experiment.id], reason: marked('bulk reason'), dry_run: true, ...body },
    });
  const bulk = await create({ kind: 'note', text: marked('bulk note') });
  const refusedBulk = await create({ kind: 'move', state: marked('state') });
  await runBulkOperations(engineContext(server, 'runBulkOperations'));
  return { bulk, refusedBulk, imports: await makeImports(server, cohort.id, marked) };
}

/** The user becomes the owner of the view and the author of the bulk operation and the imports, which only they can change. */
export async function giveTo(server: TestServer, { view, bulk, imports }: Study, userId: number): Promise<void> {
  await server.sql('update views set owner_id = $1 where id = $2', [userId, view.id]);
  const { checkedImport, appliedImport } = imports;
  await server.sql('update imports set author_id = $1 where id = any($2)', [
    userId,
    [checkedImport.id, appliedImport.id],
  ]);
  await server.sql('update bulk_operations set author_id = $1 where id = $2', [userId, bulk.id]);
}

/** Claims the two queued executions and reports that the first failed. The other keeps running. */
async function failFirst(server: TestServer, marked: (what: string) => string) {
  const { claims } = await callOk(server, 'claimExecutions', { body: { queues: [queue], max: 2 } });
  const [{ execution, secret }, { execution: open }] = claims;
  const as = { as: null, headers: { authorization: `Bearer ${secret}` } };
  await callOk(server, 'renewClaim', { params: { execution_id: execution.id }, body: { log: marked('line') }, ...as });
  const report = {
    run_log: marked('run log'),
    result_log: marked('result log'),
    result_values: { text: marked('result') },
  };
  await callOk(server, 'updateCallbackExecution', {
    params: { id: execution.id },
    body: { status: 'finished', result: 'failed', ...report },
    ...as,
  });
  return { execution, open };
}

interface Many {
  mark: string;
  cohortId: number;
  workflowId: number;
  stateId: number;
}

/** Inserts more than a thousand rows of each kind, so that lists are streamed. */
async function makeMany(server: TestServer, { mark, cohortId, workflowId, stateId }: Many): Promise<void> {
  await server.sql(
    `with subject as (
       insert into subjects (cohort_id, label) select $2::bigint, $1::text || ' many ' || n from generate_series(1, 1100) n
       returning id, cohort_id, label),
     experiment as (
       insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
       select id, cohort_id, $3::bigint, $4::bigint, label, 1 from subject returning id, subject_id, cohort_id, label),
     acted as (
       insert into actions (experiment_id, sequence, transition_id, actor_kind, return_value)
       select experiment.id, 1, transitions.id, 'engine', experiment.label from experiment
       join transitions on transitions.workflow_id = $3::bigint and transitions.kind = 'entry'
         and transitions.destination_state_id = $4::bigint),
     variable as (
       insert into experiment_variables (experiment_id, name, value)
       select id, $1::text || ' variable', to_jsonb(label) from experiment
       union all select id, 'site', to_jsonb(label) from experiment),
     scanned as (
       insert into scans (experiment_id, cohort_id, scantype_id) select id, cohort_id, 1 from experiment),
     counted as (insert into state_counts (state_id, cohort_id, experiments) values ($4::bigint, $2::bigint, 1100)),
     subject_linked as (
       insert into external_subject_links (subject_id, cohort_id, external_system_id, external_id)
       select id, cohort_id, 1, label from subject)
     insert into external_experiment_links (experiment_id, cohort_id, external_system_id, external_id)
     select id, cohort_id, 1, label from experiment`,
    [mark, cohortId, workflowId, stateId],
  );
  // The rows have no events.
  await rebuildInsights(server.database.db);
  await countAllInsights(server.database.db);
}
