import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('cohorts', () => {
  it('POST /cohorts creates a cohort that can be read by id and by label', async () => {
    const { status, body } = await server.call('createCohort', { body: { label: 'first', description: 'the first' } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      uri: `/api/v2/cohorts/${body.id}`,
      label: 'first',
      description: 'the first',
      external_urls: {},
      subjects: [],
    });
    expect((await server.call('getCohort', { params: { id: body.id } })).body).toEqual(body);
    expect((await server.call('getCohortByLabel', { params: { label: 'first' } })).body).toEqual(body);
  });

  it('POST /cohorts with a label that exists is 409 and names the field', async () => {
    await server.call('createCohort', { body: { label: 'twice' } });
    const { status, body } = await server.call('createCohort', { body: { label: 'twice' } });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'already_exists', errors: [{ pointer: '/label' }] });
  });
});
