/** The definition of a workflow and its revisions, as they were imported. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
const first = `# Kept as it is: ümlaut
label: T1/T2
states:
  - {label: arrived, transitions: [{destination: done}]}
  - {label: done}
`;
const second = JSON.stringify({
  label: 'T1/T2',
  initial: 'arrived',
  states: [
    { label: 'arrived', transitions: [{ destination: 'checked' }] },
    { label: 'checked', callbacks: [{ label: 'wait', function: 'sleep', callback_arguments: { seconds: 1 } }] },
    { label: 'done' },
  ],
});
const importFile = (workflow_definition: string) => server.call('importWorkflow', { body: { workflow_definition } });

beforeAll(async () => {
  server = await startTestServer();
  await importFile(first);
  await importFile(second);
});
afterAll(() => server.stop());

const params = { workflow_label: 'T1/T2' };
const definition = (query: Record<string, number> = {}, as = 'admin') =>
  server.call('getWorkflowDefinition', { params, query, as });

const readAs = (accept: string, query = '') =>
  fetch(`${server.baseUrl}/workflows/T1%2FT2/definition${query}`, {
    headers: { accept, authorization: basic('admin', testPassword) },
  });

describe('the definition of a workflow', () => {
  it('is the file of the latest import, byte by byte, or that of a revision', async () => {
    expect((await definition()).body).toMatchObject({ revision: 2, definition: second, size: second.length });
    expect((await definition({ revision: 2 })).body.definition).toBe(second);
    const { body } = await definition({ revision: 1 });
    expect(body).toMatchObject({ revision: 1, definition: first, size: Buffer.byteLength(first) });
  });

  it('is the file itself for clients that accept YAML', async () => {
    for (const accept of ['application/yaml', 'text/html, Application/YAML;q=0.9, */*']) {
      const response = await readAs(accept, '?revision=1');
      expect(response.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
      expect(await response.text()).toBe(first);
    }
    for (const accept of ['*/*', 'application/json', 'application/yaml-patch']) {
      expect((await readAs(accept)).headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('returns a problem for a missing revision, also for clients that accept YAML', async () => {
    const response = await readAs('application/yaml', '?revision=9');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
  });

  it('can be read by every user who can read the workflow', async () => {
    await server.addUser('reader', ['user']);
    expect((await definition({}, 'reader')).status).toBe(200);
    const revisions = await server.call('listWorkflowRevisions', { params, as: 'reader' });
    expect(revisions.status).toBe(200);
    await server.addUser('without_roles', []);
    expect((await definition({}, 'without_roles')).status).toBe(403);
  });
});

describe('the revisions of a workflow', () => {
  it('have the author, the hash and the size of each file', async () => {
    const { body } = await server.call('listWorkflowRevisions', { params });
    const stored = await server.sql<{ hash: string }>(
      'select definition_hash as hash from workflow_revisions order by revision',
    );
    expect(body.revisions).toEqual([
      { revision: 1, created_at: expect.any(String), author, hash: stored[0]?.hash, size: Buffer.byteLength(first) },
      { revision: 2, created_at: expect.any(String), author, hash: stored[1]?.hash, size: second.length },
    ]);
  });

  it('include one that a change of a callback created, with the same arguments as the callback shows', async () => {
    const { body: listed } = await server.call('listCallbacks');
    const id = listed.callbacks[0].id as number;
    await server.call('updateCallback', { params: { id }, body: { callback_arguments: '{"seconds": 77}' } });
    const { body } = await definition();
    expect(body.revision).toBe(3);
    expect(body.definition).toMatch(/seconds"?: 77/);
  });
});

const author = { id: expect.any(Number), name: expect.any(String) };
