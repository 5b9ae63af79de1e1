/**
 * X-Fields over HTTP: which fields are returned, and where the header is ignored. http/field-mask.interface.test.ts tests which
 * queries it saves.
 *
 * @module-tag sql
 */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

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
    ['{}', []],
  ])('%j returns the fields %j', async (fields, names) => {
    expect(Object.keys(await read(fields)).toSorted()).toEqual(names);
  });

  it('returns all fields if the header is empty', async () => {
    expect(await read('')).toEqual((await server.call('getSubject', { params: { id: subject.id } })).body);
  });

  it('selects nested fields in objects and in lists', async () => {
    expect(await read('{label,cohort{label},experiments{id}}')).toEqual({
      label: subject.label,
      cohort: { label: subject.cohort.label },
      experiments: [{ id: experiment.id }],
    });
  });

  it('accepts * for all other fields', async () => {
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
    '{',
    '{label,{id}}',
  ])('rejects the header %j with 400', async (fields) => {
    const { status, body } = await server.call('getSubject', { params: { id: subject.id }, fields });
    expect(status).toBe(400);
    expect(body.detail).toMatch(/^The header X-Fields is invalid: .+ Example: \{label,cohort\{label\}\}\.$/);
  });

  it.each([
    ['lable', 'X-Fields: "lable" is not a known field. Did you mean "label"?'],
    ['{label,cohort{lable}}', 'X-Fields: "cohort.lable" is not a known field. Did you mean "label"?'],
    ['{*,experiments{idd}}', 'X-Fields: "experiments.idd" is not a known field. Did you mean "id"?'],
    ['"label"', 'X-Fields: ""label"" is not a known field. Did you mean "label"?'],
    [
      'constructor',
      expect.stringMatching(/^X-Fields: "constructor" is not a known field\. Expected one of: id, .+\.$/),
    ],
    ['label{first}', 'X-Fields: "label.first" is not a known field. label has no fields.'],
  ])('rejects the unknown name in %j with 400 and suggests a known one', async (fields, detail) => {
    const { status, body } = await server.call('getSubject', { params: { id: subject.id }, fields });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', detail, errors: [{ pointer: 'X-Fields', detail }] });
  });

  it('reports every unknown name', async () => {
    const { body } = await server.call('getSubject', { params: { id: subject.id }, fields: 'lable,uri,cohort{idd}' });
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      'X-Fields: "lable" is not a known field. Did you mean "label"?',
      'X-Fields: "cohort.idd" is not a known field. Did you mean "id"?',
    ]);
  });

  it('accepts any key of an object whose keys are data', async () => {
    await server.sql(`insert into external_systems (system_name, url) values ('my-archive', 'https://a.example.org')`);
    const external = { external_ids: { 'my-archive': 'A1' } };
    await server.call('addSubjectExternalIds', { params: { id: subject.id }, body: external });
    expect(await read('external_ids{my-archive,elsewhere}')).toEqual(external);
    expect(await read('external_ids{elsewhere}')).toEqual({ external_ids: {} });
  });

  it('rejects a header that is too deeply nested or too long', async () => {
    for (const fields of ['{a'.repeat(5000), 'a,'.repeat(5000)]) {
      expect((await server.call('getSubject', { params: { id: subject.id }, fields })).status).toBe(400);
    }
  });
});

describe('X-Fields', () => {
  it('applies to the wrapper object of a list', async () => {
    const { body } = await server.call('listSubjects', { fields: 'subjects{id}' });
    expect(body).toEqual({ subjects: [{ id: subject.id }] });
  });

  it('names the wrapper if a mask for a list does not', async () => {
    const { status, body } = await server.call('listSubjects', { fields: '{label}' });
    expect(status).toBe(400);
    expect(body.detail).toBe('X-Fields: "label" is not a known field. Expected one of: subjects.');
  });

  it.each<[OperationName, object, string]>([
    ['listCohorts', {}, 'cohorts{uri}'],
    ['listExternalSystems', {}, 'external_systems{uri}'],
    ['listRoles', {}, 'roles{uri}'],
    ['listUsers', {}, 'users{uri}'],
    ['listScantypes', {}, 'scantypes{uri}'],
  ])('makes %s return only the requested fields', async (name, params, fields) => {
    const { body } = await server.call(name, { ...params, fields });
    for (const element of Object.values<object[]>(body)[0] ?? []) expect(Object.keys(element)).toEqual(['uri']);
  });

  it('limits the response of a write, but not the stored fields', async () => {
    const label = world.fresh('masked');
    const body = { label, description: 'written' };
    const response = await server.call('createCohort', { body, fields: 'label' });
    expect(response).toMatchObject({ status: 201 });
    expect(response.body).toEqual({ label });
    expect((await server.call('getCohortByLabel', { params: { label } })).body.description).toBe('written');
  });

  it.each(['{', '{lable}'])('prevents the write if it is %j', async (fields) => {
    const label = world.fresh('not written');
    expect((await server.call('createCohort', { body: { label }, fields })).status).toBe(400);
    expect((await server.call('getCohortByLabel', { params: { label } })).status).toBe(404);
  });

  it('does not apply to errors', async () => {
    const { body } = await server.call('getSubject', { params: { id: 0 }, fields: '{label}' });
    expect(body).toMatchObject({ status: 404, code: 'not_found', request_id: expect.any(String) });
  });

  it.each(['{id}', '{unknown}', '{malformed'])(
    'with the value %j is ignored by assignUserRole, removeUserRole and deleteUser',
    async (fields) => {
      const { id, username } = await world.user();
      const params = { username, role_name: 'user' };
      const assigned = await server.call('assignUserRole', { params, fields });
      expect(assigned).toMatchObject({ status: 200, body: { user: username, role: 'user', has_role: true } });
      const removed = await server.call('removeUserRole', { params, fields });
      expect(removed).toMatchObject({ status: 200, body: { user: username, role: 'user', has_role: false } });
      const deleted = await server.call('deleteUser', { params: { id }, fields });
      expect(deleted).toMatchObject({ status: 200, body: { id, username, active: false } });
    },
  );
});

const move = async (parts: { fields?: string; headers?: Record<string, string> }) => {
  const { id } = await world.experiment();
  const call = () => server.call('setExperimentState', { params: { id }, body: { state_label: 'checked' }, ...parts });
  return { first: await call(), repeat: call };
};

describe('error of a successful state change', () => {
  it('is absent without X-Fields, and with * instead of its name', async () => {
    for (const parts of [{}, { fields: '*' }, { fields: '{success,*}' }]) {
      const { first } = await move(parts);
      expect(first.status).toBe(200);
      expect(Object.keys(first.body).toSorted()).toEqual(['state', 'success']);
    }
  });

  it.each([
    ['error', { error: null }],
    ['{success,error}', { success: true, error: null }],
    ['error{code}', { error: null }],
    ['success', { success: true }],
  ])('with X-Fields %j is in the response only if the mask names it', async (fields, body) => {
    expect((await move({ fields })).first.body).toEqual(body);
  });

  it('is also absent in a repeated response', async () => {
    const { first, repeat } = await move({ headers: { 'idempotency-key': world.fresh('key').replace(' ', '-') } });
    const second = await repeat();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(second.body).not.toHaveProperty('error');
  });
});
