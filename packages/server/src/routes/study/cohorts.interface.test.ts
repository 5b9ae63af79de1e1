/** @module-tag sql */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const post = (label: string, description: string) => server.call('createCohort', { body: { label, description } });

describe('POST /cohorts', () => {
  it('creates a cohort that can be read by id and by label', async () => {
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

  it('returns an empty description instead of null if none is given', async () => {
    expect((await server.call('createCohort', { body: { label: 'bare' } })).body.description).toBe('');
  });

  it('accepts descriptions of at most 10,000 characters, regardless of their size in bytes', async () => {
    expect((await post('long', '🧠'.repeat(10_000))).status).toBe(201);
    const { status, body } = await post('too long', 'x'.repeat(10_001));
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: '/description', detail: '/description must have at most 10000 characters, but has 10001.' },
    ]);
  });
});

describe('PUT /cohorts/{id}', () => {
  it('changes the label under which the subjects are listed', async () => {
    const { body: cohort } = await server.call('createCohort', { body: { label: 'before' } });
    await server.call('createSubject', { body: { label: 's', cohort_label: 'before' } });
    await server.call('updateCohort', { params: { id: cohort.id }, body: { label: 'after' } });
    expect((await server.call('listCohortSubjects', { params: { label: 'after' } })).body.subjects).toHaveLength(1);
    expect((await server.call('listCohortSubjects', { params: { label: 'before' } })).status).toBe(404);
  });

  it('records the old and the new values of a change in the history', async () => {
    const { body: cohort } = await server.call('createCohort', { body: { label: 'recorded' } });
    await server.call('updateCohort', { params: { id: cohort.id }, body: { label: 'recorded', description: 'new' } });
    const entries = await server.sql(
      `select operation, before, after from history where object_kind = 'cohort' and object_id = $1 order by id`,
      [cohort.id],
    );
    expect(entries).toEqual([
      { operation: 'createCohort', before: null, after: { label: 'recorded', description: '' } },
      {
        operation: 'updateCohort',
        before: expect.objectContaining({ description: '' }),
        after: { description: 'new' },
      },
    ]);
  });
});
