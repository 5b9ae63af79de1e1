/**
 * Starts what was built as it is installed. It must find its migrations, its version, the
 * schema of workflow files and the worker thread beside the built files, none of which a compiler looks for.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startServerProcess } from '../packages/server/testing/server-process.ts';
import { cloneDatabase, startTestPostgres, type TestDatabase } from '../packages/server/testing/test-server.ts';
import { fromRoot } from './printed-file.ts';

const built = (name: string) => fromRoot(`packages/server/dist/bin/${name}.js`);
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
  await promisify(execFile)(process.execPath, [built('migrate')], { env: owner });
  const server = await startServerProcess(settings, { file: built('serve'), flags: [] });
  try {
    await expectAnswers(server.url);
  } finally {
    equal(await server.stop(), 0, `the built server did not end well:\n${server.output()}`);
  }
}

async function expectAnswers(url: string): Promise<void> {
  const documents = ['/api/v2/openapi.json', '/api/v2/workflow.schema.json'];
  for (const path of ['/-/healthy', '/-/ready', '/-/versions', ...documents])
    equal((await fetch(url + path)).status, 200, path);
  const response = await fetch(`${url}/api/v2/service/config/import-config`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ config_definition: 'scantypes: [{protocol: T1, modality: MR}]' }),
  });
  const { scantypes } = (await response.json()) as { scantypes?: unknown };
  deepEqual(scantypes, [{ id: 1, modality: 'MR', protocol: 'T1', uri: '/api/v2/scantypes/1' }]);
}
