/** Calls ten operations with openapi-fetch and the types that openapi-typescript generated. Prints one line for each. */
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './generated.d.ts';

const [baseUrl = '', username = '', password = ''] = process.argv.slice(2);
const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
const client = createClient<paths>({ baseUrl, headers: { authorization } });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

async function call<T>(name: string, status: number, answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (response.status !== status || data === undefined) {
    throw new Error(`${name} returned ${response.status}: ${JSON.stringify(error)}`);
  }
  console.log(`typescript: ${name} ${status}`);
  return data;
}

const workflow_definition =
  'label: ts\nstates: [{label: arrived, transitions: [{destination: done}]}, {label: done}]\n';
const imported = await call(
  'importWorkflow',
  201,
  client.POST('/service/config/import-workflow', { body: { workflow_definition } }),
);
assert('id' in imported);
const cohort = await call('createCohort', 201, client.POST('/cohorts', { body: { label: 'ts', description: null } }));
const byId = { params: { path: { id: cohort.id } } };
await call('updateCohort', 200, client.PUT('/cohorts/{id}', { ...byId, body: { description: 'TypeScript' } }));
assert.equal((await call('getCohort', 200, client.GET('/cohorts/{id}', byId))).description, 'TypeScript');
const subject = await call(
  'createSubject',
  201,
  client.POST('/subjects', { body: { label: 'ts/1', cohort_label: 'ts' } }),
);
const experiment = await call(
  'createExperiment',
  201,
  client.POST('/experiments', { body: { label: 'ts 1', subject_id: subject.id, workflow_label: 'ts' } }),
);
assert.deepEqual([experiment.state.label, experiment.external_ids], ['arrived', {}]);
const moved = await call(
  'setExperimentState',
  200,
  client.PUT('/experiments/{id}/state', { params: { path: { id: experiment.id } }, body: { state_label: 'done' } }),
);
assert.deepEqual([moved.success, moved.state.label], [true, 'done']);
const ofCohort = { cohort_id: cohort.id };
const rows = await call('listExperimentRows', 200, client.GET('/experiment_rows', { params: { query: ofCohort } }));
assert.deepEqual(
  rows.experiments.map(({ state }) => state.label),
  ['done'],
);
const counts = await call(
  'getWorkflowCounts',
  200,
  client.GET('/workflows/{id}/counts', { params: { path: { id: imported.id }, query: ofCohort } }),
);
assert.equal(counts.experiments, 1);
const audit = await call(
  'listAudit',
  200,
  client.GET('/audit', { params: { query: { experiment_id: experiment.id } } }),
);
assert.deepEqual(
  audit.entries.map(({ operation }) => operation),
  ['setExperimentState', 'createExperiment'],
);

const { error } = await client.GET('/experiment_rows', { params: { query: { cohort_id: 4_000_000_000 } } });
assert.equal(error?.errors[0]?.pointer, '?cohort_id');
