/** The server rejects a body with very many errors and reports only the first ones. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it('the server rejects a body with 70,000 unknown names and reports 20 of them', async () => {
  const unknownNames = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`lab${index}`, 1]));
  const { status, body } = await server.call('createCohort', { body: { label: 'x', ...unknownNames } });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect(body.errors).toHaveLength(20);
  expect(body.errors[0]).toEqual({ pointer: '/lab0', detail: expect.stringContaining('/lab0 is not a known field') });
});
