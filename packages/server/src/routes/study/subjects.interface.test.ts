/** @module-tag sql */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

describe('date_of_birth', () => {
  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '1899-12-31', '9999-12-31'])(
    'of %s is stored and returned unchanged',
    async (date_of_birth) => {
      const { label: cohort_label } = await world.cohort();
      const { status, body } = await server.call('createSubject', {
        body: { label: 's', cohort_label, date_of_birth },
      });
      expect(status).toBe(201);
      expect(body.date_of_birth).toBe(date_of_birth);
      const { body: read } = await server.call('getSubject', { params: { id: body.id } });
      expect(read.date_of_birth).toBe(date_of_birth);
    },
  );

  it.each([
    '2001-02-03T00:00:00',
    '2001-02-03T00:00:00Z',
    '2001-02-03T00:00:00.000Z',
    '2001-02-03T00:00:00+14:00',
    '2001-02-03T00:00:00-11:00',
    '2001-02-03 00:00:00',
    '2001-02-03T00:00',
  ])('of %s is the day 2001-02-03, in POST and PUT', async (date_of_birth) => {
    const { label: cohort_label } = await world.cohort();
    const { body } = await server.call('createSubject', { body: { label: 's', cohort_label, date_of_birth } });
    expect(body.date_of_birth).toBe('2001-02-03');
    const { id } = await world.subject();
    const changed = await server.call('updateSubject', { params: { id }, body: { date_of_birth } });
    expect([changed.status, changed.body.date_of_birth]).toEqual([200, '2001-02-03']);
  });

  it.each([
    '2023-02-29',
    '1900-02-29',
    '2023-04-31',
    '2023-13-01',
    '2023-00-10',
    '2023-01-00',
    '0000-01-01',
    '10000-01-01',
    '1951-3-8',
    '19510308',
    '08.03.1951',
    '1951-03-08T00:00:01',
    '1951-03-08T12:00:00Z',
    '1951-03-08T00:00:00.5',
    '1951-02-29T00:00:00',
    '1951-03-08T00:00:00+25:00',
    '1951-03-08T',
    ' 1951-03-08',
    '',
    'infinity',
  ])('of %j is rejected with 400', async (date_of_birth) => {
    const { id } = await world.subject();
    const { status, body } = await server.call('updateSubject', { params: { id }, body: { date_of_birth } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: '/date_of_birth' }]);
  });
});

describe('PUT /subjects/{id} with cohort_label', () => {
  it('moves the subject and its experiments', async () => {
    const subject = await world.subject();
    const experiment = await world.experimentOf(subject);
    const { id: cohortId, label } = await world.cohort();
    const params = { id: subject.id };
    const { body } = await server.call('updateSubject', { params, body: { cohort_label: label } });
    expect(body.cohort).toEqual({ id: cohortId, label, uri: `/api/v2/cohorts/${cohortId}` });
    expect(await server.sql('select cohort_id from experiments where id = $1', [experiment.id])).toEqual([
      { cohort_id: String(cohortId) },
    ]);
    const path = { label, subject_label: subject.label, experiment_label: experiment.label };
    expect((await server.call('getCohortSubjectExperiment', { params: path })).body.id).toBe(experiment.id);
    const old = { label: subject.cohort.label, subject_label: subject.label };
    expect((await server.call('getCohortSubject', { params: old })).status).toBe(404);
    expect((await server.call('listSubjects', { query: { cohort_label: old.label } })).body.subjects).toEqual([]);
  });

  it('adds an event in the new cohort', async () => {
    const [{ id }, cohort] = [await world.subject(), await world.cohort()];
    await server.call('updateSubject', { params: { id }, body: { cohort_label: cohort.label } });
    const [event] = await server.sql(
      `select kind, cohort_id from events where object_kind = 'subject' and object_id = $1 order by id desc limit 1`,
      [id],
    );
    expect(event).toEqual({ kind: 'updateSubject', cohort_id: String(cohort.id) });
  });

  it('returns 409 and moves nothing if the new cohort already has a subject with the same label', async () => {
    const [subject, other] = [await world.subject(), await world.subject()];
    await server.call('updateSubject', { params: { id: other.id }, body: { label: subject.label } });
    const move = { params: { id: subject.id }, body: { cohort_label: other.cohort.label } };
    const { status, body } = await server.call('updateSubject', move);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'already_exists', errors: [{ pointer: '/label' }] });
    const { body: stored } = await server.call('getSubject', { params: { id: subject.id } });
    expect(stored.cohort.id).toBe(subject.cohort.id);
  });
});

type Change = (stored: { id: number; label: string; uri: string }) => unknown;

/** PUTs the body that GET returned, with another `cohort`. */
const putBack = async (change: Change) => {
  const { id } = await world.subject();
  const { body: stored } = await server.call('getSubject', { params: { id } });
  return server.call('updateSubject', { params: { id }, body: { ...stored, cohort: change(stored.cohort) } });
};

describe('PUT /subjects/{id}', () => {
  it.each<[string, Change]>([
    ['unchanged', (stored) => stored],
    ['with only its label', ({ label }) => ({ label })],
    ['as an id', ({ id }) => id],
    ['as a label', ({ label }) => label],
    ['as a URI', ({ uri }) => uri],
  ])('accepts the read-only reference `cohort` %s', async (_what, change) => {
    expect((await putBack(change)).status).toBe(200);
  });

  it.each<[string, Change]>([
    ['with another id', (stored) => ({ ...stored, id: stored.id + 1 })],
    ['with another label', (stored) => ({ ...stored, label: 'another' })],
    ['with another uri', (stored) => ({ ...stored, uri: '/api/v2/cohorts/0' })],
    ['as the label of another cohort', () => 'another'],
    ['as the id of another cohort', ({ id }) => id + 1],
    ['as null', () => null],
  ])('rejects the read-only reference `cohort` %s and suggests cohort_label', async (_what, change) => {
    const { status, body } = await putBack(change);
    expect(status).toBe(400);
    const detail = '/cohort cannot be changed here. Use cohort_label.';
    expect(body).toMatchObject({ code: 'invalid_request', detail, errors: [{ pointer: '/cohort', detail }] });
  });
});

describe('twenty concurrent POST /subjects requests', () => {
  it('with the same label create one subject, and nineteen of them return 409', async () => {
    const { label: cohort_label } = await world.cohort();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.call('createSubject', { body: { label: 'same', cohort_label } })),
    );
    const statuses = answers.map(({ status }) => String(status));
    expect(statuses.toSorted()).toEqual(['201', ...Array<string>(19).fill('409')]);
  });
});

describe('a subject', () => {
  it.each([
    [
      'the label',
      (id: number) => server.call('updateSubject', { params: { id }, body: { label: world.fresh('subject') } }),
    ],
    [
      'an external ID',
      async (id: number) => {
        const { name } = await world.system();
        return server.call('setSubjectExternalId', { params: { id, system_name: name }, body: { external_id: 'x' } });
      },
    ],
  ])('increments the version of its experiments when %s changes', async (_what, change) => {
    const { id, subjectId } = await world.experiment();
    const version = async () => (await server.sql('select version from experiments where id = $1', [id]))[0];
    const before = await version();
    expect((await change(subjectId)).status).toBeLessThan(300);
    expect(await version()).not.toEqual(before);
  });
});
