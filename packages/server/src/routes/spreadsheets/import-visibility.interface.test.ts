/**
 * Who sees an import: only its author, and only with the permission in its cohort. All users who can import into the cohort see its mappings.
 *
 * @module-tag sql
 */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../testing/import-world.ts';
import { startTestServer, type Parts, type TestServer } from '../../../testing/server.ts';
import { createTestToken } from '../../../testing/tokens.ts';

let server: TestServer;
let world: ImportWorld;
let cohortId: number;
let importId: number;
const inCohort = (username: string, id: number) => ({ username, role_name: 'adder', cohort_id: id });
const grant = (username: string, id: number) => server.call('assignCohortRole', { params: inCohort(username, id) });

beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
  cohortId = await world.cohort();
  await server.sql(`insert into roles (name, permissions) values ('adder', '{user_read,sample_add}')`);
  for (const username of ['author', 'colleague']) {
    await server.addUser(username, []);
    await grant(username, cohortId);
  }
  await server.addUser('stranger', []);
  await grant('stranger', await world.cohort());
  importId = (await world.check(cohortId, 'subject,scan_date\nA,soon\n', { as: 'author' })).id;
  const params = { id: cohortId, name: 'monthly' };
  await server.call('saveImportMapping', { params, body: { columns: {} }, as: 'author' });
});
afterAll(() => server.stop());

const requests = (): [OperationName, Parts][] => [
  ['getImport', { params: { id: importId } }],
  ['listImportFaults', { params: { id: importId } }],
  ['listImportLines', { params: { id: importId } }],
  ['updateImport', { params: { id: importId }, body: {} }],
  ['applyImport', { params: { id: importId } }],
  ['pauseImport', { params: { id: importId } }],
  ['resumeImport', { params: { id: importId } }],
  ['stopImport', { params: { id: importId } }],
];
const statuses = async (parts: Parts) => {
  const seen = [];
  for (const [name, its] of requests()) seen.push((await server.call(name, { ...its, ...parts })).status);
  return seen;
};
const listed = async (as: string) => (await server.call('listImports', { as })).body.imports.length;

const mappingStatuses = async (as: string) => {
  const params = { id: cohortId, name: 'monthly' };
  return [
    (await server.call('listImportMappings', { params: { id: cohortId }, as })).status,
    (await server.call('saveImportMapping', { params, body: { columns: {} }, as })).status,
  ];
};

describe('an import', () => {
  it.each(['admin', 'colleague', 'stranger'])('does not exist for %s, who did not upload it', async (as) => {
    expect(await statuses({ as })).toEqual(requests().map(() => 404));
    expect(await listed(as)).toBe(0);
  });

  it('can be read by its author', async () => {
    expect((await statuses({ as: 'author' })).slice(0, 3)).toEqual([200, 200, 200]);
    expect(await listed('author')).toBe(1);
  });

  it('cannot be read with a token of its author without the permission', async () => {
    const [user] = await server.sql<{ id: number }>(`select id::int from users where username = 'author'`);
    const owner = { id: user?.id ?? 0, username: 'author' };
    const { parts } = await createTestToken(server, owner, ['user_read']);
    expect(await statuses(parts)).toEqual(requests().map(() => 403));
  });

  it('does not exist for its author without the permission in its cohort', async () => {
    await grant('author', await world.cohort());
    await server.call('removeCohortRole', { params: inCohort('author', cohortId) });
    expect(await statuses({ as: 'author' })).toEqual(requests().map(() => 404));
    expect(await listed('author')).toBe(0);
    await grant('author', cohortId);
    expect(await listed('author')).toBe(1);
  });
});

describe('a saved mapping', () => {
  it.each(['author', 'colleague', 'admin'])(
    'can be read and changed by %s, who can import into the cohort',
    async (as) => {
      expect(await mappingStatuses(as)).toEqual([200, 200]);
      const { body } = await server.call('listImportMappings', { params: { id: cohortId }, as });
      expect(body.mappings).toMatchObject([{ name: 'monthly' }]);
    },
  );

  it('does not exist for a user of another cohort', async () => {
    expect(await mappingStatuses('stranger')).toEqual([404, 404]);
  });
});
