/**
 * X-Fields over HTTP: what comes back, and where it is ignored. What it saves in queries is tested in http/field-mask.interface.test.ts.
 *
 * @module-tag sql
 */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let world: World;
let subject: Awaited<ReturnType<World['subject']>>;
let experiment: { id: number; label: string };
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  subject = await world.subject();
  experiment = await world.experimentOf(subject);
  await world.system();
  await world.scantype();
});
afterAll(() => server.stop());

const read = async (fields: string) => (await server.call('getSubject', { params: { id: subject.id }, fields })).body;

describe('GET /subjects/{id} with X-Fields', () => {
  it.each([
    ['label', ['label']],
    ['{label}', ['label']],
    [' { label , id } ', ['id', 'label']],
    ['label,nothing', ['label']],
    ['nothing', []],
    ['{}', []],
  ])('%j answers %j', async (fields, names) => {
    expect(Object.keys(await read(fields)).toSorted()).toEqual(names);
  });

  it('answers everything for an empty one', async () => {
    expect(await read('')).toEqual((await server.call('getSubject', { params: { id: subject.id } })).body);
  });

  it('looks inside nested braces, in objects and in lists', async () => {
    expect(await read('{label,cohort{label},experiments{id}}')).toEqual({
      label: subject.label,
      cohort: { label: subject.cohort.label },
      experiments: [{ id: experiment.id }],
    });
  });

  it('takes * for the rest', async () => {
    const { cohort, ...others } = (await server.call('getSubject', { params: { id: subject.id } })).body;
    expect(await read('*')).toEqual({ cohort, ...others });
    expect(await read('{*,cohort{id}}')).toEqual({ ...others, cohort: { id: cohort.id } });
    expect(await read('{cohort{*}}')).toEqual({ cohort });
  });

  it.each([
    '{label',
    'label}',
    'label id',
    '{label}{id}',
    'label,,id',
    ',label',
    '{cohort{label}',
    'a-b',
    '{',
    '"label"',
  ])('%j is 400', async (fields) => {
    const { status, body } = await server.call('getSubject', { params: { id: subject.id }, fields });
    expect(status).toBe(400);
    expect(body.detail).toMatch(/^The header X-Fields cannot be read: .+ It looks like \{label,cohort\{label\}\}\.$/);
  });

  it('is 400 when it is nested too deep or too long to be read', async () => {
    for (const fields of ['{a'.repeat(5000), 'a,'.repeat(5000)]) {
      expect((await server.call('getSubject', { params: { id: subject.id }, fields })).status).toBe(400);
    }
  });
});

describe('X-Fields', () => {
  it('on lists addresses the wrapper', async () => {
    const { body } = await server.call('listSubjects', { fields: 'subjects{id}' });
    expect(body).toEqual({ subjects: [{ id: subject.id }] });
    expect((await server.call('listSubjects', { fields: '{label}' })).body).toEqual({});
  });

  it.each<[OperationName, object, string]>([
    ['listCohorts', {}, 'cohorts{uri}'],
    ['listExternalSystems', {}, 'external_systems{uri}'],
    ['listRoles', {}, 'roles{uri}'],
    ['listUsers', {}, 'users{uri}'],
    ['listScantypes', {}, 'scantypes{uri}'],
  ])('%s answers only what was asked for', async (name, params, fields) => {
    const { body } = await server.call(name, { ...params, fields });
    for (const element of Object.values<object[]>(body)[0] ?? []) expect(Object.keys(element)).toEqual(['uri']);
  });

  it('on writes cuts the answer, and everything is written', async () => {
    const label = world.fresh('masked');
    const body = { label, description: 'written' };
    const answer = await server.call('createCohort', { body, fields: 'label' });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual({ label });
    expect((await server.call('getCohortByLabel', { params: { label } })).body.description).toBe('written');
  });

  it('that is malformed on a write is 400 and nothing is written', async () => {
    const label = world.fresh('not written');
    expect((await server.call('createCohort', { body: { label }, fields: '{' })).status).toBe(400);
    expect((await server.call('getCohortByLabel', { params: { label } })).status).toBe(404);
  });

  it('does not cut errors', async () => {
    const { body } = await server.call('getSubject', { params: { id: 0 }, fields: '{label}' });
    expect(body).toMatchObject({ status: 404, code: 'not_found', request_id: expect.any(String) });
  });

  it.each(['{id}', '{malformed'])('%j is ignored on the three operations that are excepted', async (fields) => {
    const { id, username } = await world.user();
    const params = { username, role_name: 'user' };
    const given = await server.call('assignUserRole', { params, fields });
    expect(given).toMatchObject({ status: 200, body: { user: username, role: 'user', has_role: true } });
    const taken = await server.call('removeUserRole', { params, fields });
    expect(taken).toMatchObject({ status: 200, body: { user: username, role: 'user', has_role: false } });
    const deleted = await server.call('deleteUser', { params: { id }, fields });
    expect(deleted).toMatchObject({ status: 200, body: { id, username, active: false } });
  });
});
