/**
 * Starts the built server and worker as they are installed. They must find their migrations, version, workflow schema and worker
 * thread beside the built files, which a compiler does not check.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { basic, createClient } from '@milepost/api';
import { startServerProcess } from '../packages/server/testing/processes/server-process.ts';
import { cloneDatabase, startTestPostgres, type TestDatabase } from '../packages/server/testing/postgres-server.ts';
import { startWorkerProcess } from '../packages/server/testing/processes/worker-process.ts';
import { fromRoot } from './printed-file.ts';

const built = (name: string) => ({ file: fromRoot(`packages/server/dist/bin/${name}.js`), flags: [] });
const password = 'a password for this one check';

export async function checkBuiltServer(): Promise<void> {
  const { server, end } = await startTestPostgres();
  try {
    await serveOn(await cloneDatabase(server, { empty: true }));
  } finally {
    await end();
  }
}

async function serveOn({ databaseUrl, ownerUrl }: TestDatabase): Promise<void> {
  const settings = { DATABASE_URL: databaseUrl, MILEPOST_LOG_LEVEL: 'error', MILEPOST_ADMIN_PASSWORD: password };
  const owner = { ...process.env, ...settings, MILEPOST_OWNER_DATABASE_URL: ownerUrl };
  await promisify(execFile)(process.execPath, [built('migrate').file], { env: owner });
  const server = await startServerProcess(settings, built('serve'));
  try {
    await expectAnswers(server.url);
    await expectMoves(settings, server.url);
  } finally {
    equal(await server.stop(), 0, `the built server did not end well:\n${server.output()}`);
  }
}

const definition = `
label: moving
states:
  - label: waiting
    callbacks: [{label: pause, function: sleep, callback_arguments: {seconds: 0}}]
    transitions: [{destination: done}]
  - label: done
`;

/** The built worker runs a callback, and the experiment moves to its next state. */
async function expectMoves(settings: Record<string, string>, url: string): Promise<void> {
  const worker = await startWorkerProcess({ ...settings, MILEPOST_PUBLIC_URL: url }, built('work'));
  try {
    const client = createClient({ baseUrl: `${url}/api/v2`, authorization: basic('admin', password) });
    await client.importWorkflow({ body: { workflow_definition: definition } });
    await client.createCohort({ body: { label: 'built' } });
    const { id: subject_id } = await client.createSubject({ body: { label: 'one', cohort_label: 'built' } });
    const { id } = await client.createExperiment({ body: { label: 'first', subject_id } });
    const stateOf = async () => (await client.getExperimentState({ params: { id } })).state.label;
    const end = performance.now() + 10_000;
    while ((await stateOf()) !== 'done' && performance.now() < end) await setTimeout(50);
    equal(await stateOf(), 'done', `the built worker ran nothing:\n${worker.output()}`);
  } finally {
    equal(await worker.stop(), 0, `the built worker did not end well:\n${worker.output()}`);
  }
}

async function expectAnswers(url: string): Promise<void> {
  const documents = ['/api/v2/openapi.json', '/api/v2/workflow.schema.json'];
  for (const path of ['/-/healthy', '/-/ready', '/-/versions', ...documents])
    equal((await fetch(url + path)).status, 200, path);
  const response = await fetch(`${url}/api/v2/service/config/import-config`, {
    method: 'POST',
    headers: {
      authorization: basic('admin', password),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ config_definition: 'scantypes: [{protocol: T1, modality: MR}]' }),
  });
  const { scantypes } = (await response.json()) as { scantypes?: unknown };
  deepEqual(scantypes, [{ id: 1, modality: 'MR', protocol: 'T1', uri: '/api/v2/scantypes/1' }]);
}
