/** Runs the commands of the how-to guide about API tokens in order and checks that they do what the guide says. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';
import { inDays } from '../../testing/tokens.ts';

const page = await readFile(new URL('../../../../docs/how-to/api-tokens.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block);

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'tokens-page-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const settings = () =>
  `api='${server.baseUrl}'; login='admin:${testPassword}'; json='Content-Type: application/json'; curl() { command curl -sS "$@"; echo; }\n`;

/** The responses of the curl commands in a block. */
async function run(block = ''): Promise<Record<string, unknown>[]> {
  const env = { PATH: process.env['PATH'] };
  const { stdout } = await promisify(execFile)('sh', ['-euc', settings() + block], { cwd: folder, env });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('the commands in docs/how-to/api-tokens.md create a service account, and create, use and revoke its token', async () => {
  const [account, creation, storage, use, revocation, oneStudy] = blocks;
  expect(await run(account)).toMatchObject([{ id: 2, username: 'importer' }, { has_role: true }]);
  // The date in the guide will be in the past one day.
  const [made] = await run(creation?.replace(/\d{4}-\d\d-\d\dT00:00:00Z/, inDays(100)));
  expect(made).toMatchObject({ id: 1, token: expect.stringMatching(/^mp_/) });
  await run(storage?.replace('mp_...', String(made?.['token'])));
  expect(await run(use)).toMatchObject([
    { permissions: ['sample_add', 'sample_update'], token: { id: 1 } },
    { label: 'memory-clinic' },
  ]);
  expect(await run(revocation)).toMatchObject([{ tokens: [{ last_used_at: expect.any(String) }] }, { id: 1 }]);
  expect(await run(use)).toMatchObject([{ code: 'token_ended' }, { code: 'token_ended' }]);
  expect(await run(oneStudy)).toMatchObject([
    { id: 3, username: 'clinic' },
    { roles: [{ role: { name: 'superuser' }, cohort: { id: 1 } }] },
  ]);
});
