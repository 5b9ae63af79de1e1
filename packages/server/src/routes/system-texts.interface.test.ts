/** External urls of cohorts and external ids of subjects: two names for the same behaviour. */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  await server.sql(
    `insert into external_systems (system_name, url) select name, 'https://' || name || '.example.org'
     from unnest('{XNAT,PACS,LIMS,constructor,__proto__}'::text[]) as name`,
  );
});
afterAll(() => server.stop());

interface Kind {
  field: string;
  one: string;
  add: OperationName;
  get: OperationName;
  set: OperationName;
  remove: OperationName;
  owner: 'cohort' | 'subject';
}

const kinds: Kind[] = [
  {
    field: 'external_urls',
    one: 'external_url',
    add: 'addCohortExternalUrls',
    get: 'getCohortExternalUrls',
    set: 'setCohortExternalUrl',
    remove: 'deleteCohortExternalUrl',
    owner: 'cohort',
  },
  {
    field: 'external_ids',
    one: 'external_id',
    add: 'addSubjectExternalIds',
    get: 'getSubjectExternalIds',
    set: 'setSubjectExternalId',
    remove: 'deleteSubjectExternalId',
    owner: 'subject',
  },
];

describe.each(kinds)('$field', ({ field, one, add, get, set, remove, owner }) => {
  let id: number;
  beforeEach(async () => {
    id = (await world[owner]()).id;
  });
  const post = (texts: unknown) => server.call(add, { params: { id }, body: { [field]: texts } });
  const put = (system_name: string, text: unknown) =>
    server.call(set, { params: { id, system_name }, body: { [one]: text } });
  const state = () =>
    server.sql(
      `select version, (select count(*) from history) as history, (select count(*) from events) as events,
              (select sum(version) from external_subject_links) as links
       from ${owner}s where id = $1`,
      [id],
    );
  const texts = async () => (await server.call(get, { params: { id } })).body[field];

  it('POST takes an object, or the same object as JSON text', async () => {
    expect((await post({ XNAT: 'a' })).body[field]).toEqual({ XNAT: 'a' });
    expect((await post(JSON.stringify({ PACS: 'b' }))).body[field]).toEqual({ XNAT: 'a', PACS: 'b' });
    expect(await texts()).toEqual({ XNAT: 'a', PACS: 'b' });
  });

  it('POST is 201 if any system is new, 200 if all are replaced or the same', async () => {
    expect((await post({ XNAT: 'a', PACS: 'a' })).status).toBe(201);
    expect((await post({ XNAT: 'b', LIMS: 'b' })).status).toBe(201);
    expect((await post({ XNAT: 'c', PACS: 'c' })).status).toBe(200);
    expect((await post({ XNAT: 'c' })).status).toBe(200);
    expect(await texts()).toEqual({ XNAT: 'c', PACS: 'c', LIMS: 'b' });
  });

  it('POST with an unknown system is 404, points at it and saves none', async () => {
    await post({ XNAT: 'old' });
    const { status, body } = await post({ XNAT: 'new', PACS: 'new', 'a/b~': 'new' });
    expect(status).toBe(404);
    expect(body.errors).toMatchObject([{ pointer: `/${field}/a~1b~0` }]);
    expect(await texts()).toEqual({ XNAT: 'old' });
  });

  it.each([
    ['an empty object', {}],
    ['an empty text', ''],
    ['text that is no JSON', '{XNAT: a}'],
    ['the JSON text of a list', '["XNAT"]'],
    ['the JSON text of null', 'null'],
    ['a list', ['XNAT']],
    ['a value of null', { XNAT: null }],
    ['a value of null in JSON text', '{"XNAT": null}'],
    ['an empty value', { XNAT: '' }],
    ['a value of 1,025 characters', { XNAT: 'x'.repeat(1025) }],
    ['a name of 101 characters', { ['x'.repeat(101)]: 'a' }],
    ['a name with a control character', { 'a\nb': 'a' }],
    ['NUL', { XNAT: 'a\0' }],
    ['NUL in JSON text', '{"XNAT": "a\\u0000"}'],
    ['nothing', undefined],
  ])('POST with %s is 400 and points into the field', async (_what, given) => {
    const { status, body } = await post(given);
    expect(status).toBe(400);
    expect(body.errors[0].pointer).toMatch(new RegExp(`^/${field}(/|$)`));
    expect(await texts()).toEqual({});
  });

  it('takes a value of 1,024 characters, and of characters that take two code units', async () => {
    expect((await put('XNAT', '🧠'.repeat(1024))).status).toBe(201);
    expect(await texts()).toEqual({ XNAT: '🧠'.repeat(1024) });
  });

  it('PUT is 201 for a new one, 200 when it replaces, and keeps the others', async () => {
    expect((await put('XNAT', 'a')).status).toBe(201);
    expect((await put('PACS', 'a')).status).toBe(201);
    expect(await put('XNAT', 'b')).toMatchObject({ status: 200, body: { [field]: { XNAT: 'b', PACS: 'a' } } });
  });

  it('DELETE removes that one, and again is 404', async () => {
    await post({ XNAT: 'a', PACS: 'a' });
    const params = { id, system_name: 'XNAT' };
    expect(await server.call(remove, { params })).toMatchObject({ status: 200, body: { [field]: { PACS: 'a' } } });
    expect(await server.call(remove, { params })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await texts()).toEqual({ PACS: 'a' });
  });

  it.each(['constructor', '__proto__'])('a system called %s is one like any other (V15.3.6)', async (system_name) => {
    const params = { id, system_name };
    expect((await server.call(remove, { params })).status).toBe(404);
    expect((await post(`{"${system_name}": "a"}`)).status).toBe(201);
    expect(Object.entries(await texts())).toEqual([[system_name, 'a']]);
    expect((await put(system_name, 'b')).status).toBe(200);
    expect((await server.call(remove, { params })).status).toBe(200);
  });

  it('the same value again changes neither version nor history', async () => {
    await post({ XNAT: 'a' });
    const before = await state();
    await put('XNAT', 'a');
    await post({ XNAT: 'a' });
    expect(await state()).toEqual(before);
    await put('XNAT', 'b');
    expect(await state()).not.toEqual(before);
  });

  it('is part of the answer about its owner', async () => {
    await post({ XNAT: 'a' });
    const name = owner === 'cohort' ? 'getCohort' : 'getSubject';
    expect((await server.call(name, { params: { id } })).body[field]).toEqual({ XNAT: 'a' });
  });
});

const linksOf = (id: number) =>
  server.sql<{ id: string }>(
    'select id, external_id, version from external_subject_links where subject_id = $1 order by id',
    [id],
  );

describe('external ids', () => {
  it('are links: a replaced one keeps its id, a removed one is gone and comes back under another', async () => {
    const { id } = await world.subject();
    const params = { id, system_name: 'XNAT' };
    await server.call('addSubjectExternalIds', { params: { id }, body: { external_ids: { XNAT: 'a', PACS: 'a' } } });
    const [xnat, pacs] = await linksOf(id);
    await server.call('setSubjectExternalId', { params, body: { external_id: 'b' } });
    await server.call('addSubjectExternalIds', { params: { id }, body: { external_ids: { XNAT: 'c' } } });
    expect(await linksOf(id)).toEqual([{ id: xnat?.id, external_id: 'c', version: '3' }, pacs]);
    await server.call('deleteSubjectExternalId', { params });
    expect(await linksOf(id)).toEqual([pacs]);
    await server.call('setSubjectExternalId', { params, body: { external_id: 'd' } });
    expect((await linksOf(id))[1]?.id).not.toBe(xnat?.id);
  });

  it('set by twenty callers at once leave one link, one created and the others replaced', async () => {
    const { id } = await world.subject();
    const params = { id, system_name: 'XNAT' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.call('setSubjectExternalId', { params, body: { external_id: String(index) } }),
      ),
    );
    const statuses = answers.map(({ status }) => String(status));
    expect(statuses.toSorted()).toEqual([...Array<string>(19).fill('200'), '201']);
    expect(await linksOf(id)).toHaveLength(1);
  });
});
