/**
 * The public paths outside the table of operations.
 *
 * @module-tag sql
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe.each(['/-/healthy', '/-/ready', '/-/versions', '/api/v2/openapi.json', '/api/v2/workflow.schema.json'])(
  '%s',
  (path) => {
    it('accepts GET and HEAD', async () => {
      for (const method of ['GET', 'HEAD']) expect((await fetch(server.origin + path, { method })).status).toBe(200);
    });

    it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('rejects %s with 405 and lists the allowed methods', async (method) => {
      const response = await fetch(server.origin + path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed', instance: path });
    });
  },
);

it('/api/v2/workflow.schema.json returns the committed schema with its media type', async () => {
  const response = await fetch(`${server.baseUrl}/workflow.schema.json`);
  expect(response.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
  expect(await response.text()).toBe(await readFile(new URL('../../workflow.schema.json', import.meta.url), 'utf8'));
});

it('returns 404 for unknown paths that resemble public paths', async () => {
  for (const path of ['/-/health', '/-/healthy/x', '/api/v2/openapi-json', '/openapi.json']) {
    expect((await fetch(server.origin + path, { method: 'POST' })).status).toBe(404);
  }
});
