/** External URLs of cohorts and external IDs of subjects, which behave the same. */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

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

describe.each(kinds)('$field of a $owner', ({ field, one, add, get, set, remove, owner }) => {
  let id: number;
  beforeEach(async () => {
    id = (await world[owner]()).id;
  });
  const post = (values: unknown) => server.call(add, { params: { id }, body: { [field]: values } });
  const put = (system_name: string, value: unknown) =>
    server.call(set, { params: { id, system_name }, body: { [one]: value } });
  const state = () =>
    server.sql(
      `select version, (select count(*) from history) as history, (select count(*) from events) as events,
              (select sum(version) from external_subject_links) as links
       from ${owner}s where id = $1`,
      [id],
    );
  const stored = async () => (await server.call(get, { params: { id } })).body[field];

  it('can be sent as an object or as a JSON string of the object', async () => {
    expect((await post({ XNAT: 'a' })).body[field]).toEqual({ XNAT: 'a' });
    expect((await post(JSON.stringify({ PACS: 'b' }))).body[field]).toEqual({ XNAT: 'a', PACS: 'b' });
    expect(await stored()).toEqual({ XNAT: 'a', PACS: 'b' });
  });

  it('are added with 201 if any system is new, and with 200 if all are replaced or unchanged', async () => {
    expect((await post({ XNAT: 'a', PACS: 'a' })).status).toBe(201);
    expect((await post({ XNAT: 'b', LIMS: 'b' })).status).toBe(201);
    expect((await post({ XNAT: 'c', PACS: 'c' })).status).toBe(200);
    expect((await post({ XNAT: 'c' })).status).toBe(200);
    expect(await stored()).toEqual({ XNAT: 'c', PACS: 'c', LIMS: 'b' });
  });

  it('are rejected with 404 and a pointer if one system is unknown, and none is saved', async () => {
    await post({ XNAT: 'old' });
    const { status, body } = await post({ XNAT: 'new', PACS: 'new', 'a/b~': 'new' });
    expect(status).toBe(404);
    expect(body.errors).toMatchObject([{ pointer: `/${field}/a~1b~0` }]);
    expect(await stored()).toEqual({ XNAT: 'old' });
  });

  it.each([
    ['an empty object', {}],
    ['an empty string', ''],
    ['a string that is not JSON', '{XNAT: a}'],
    ['a JSON string of a list', '["XNAT"]'],
    ['a JSON string of null', 'null'],
    ['a list', ['XNAT']],
    ['a null value', { XNAT: null }],
    ['a null value in a JSON string', '{"XNAT": null}'],
    ['an empty value', { XNAT: '' }],
    ['a value of 1,025 characters', { XNAT: 'x'.repeat(1025) }],
    ['a name of 101 characters', { ['x'.repeat(101)]: 'a' }],
    ['a name with a control character', { 'a\nb': 'a' }],
    ['a NUL character', { XNAT: 'a\0' }],
    ['a NUL character in a JSON string', '{"XNAT": "a\\u0000"}'],
    ['a body without the field', undefined],
  ])('reject %s with 400 and a pointer into the field', async (_what, given) => {
    const { status, body } = await post(given);
    expect(status).toBe(400);
    expect(body.errors[0].pointer).toMatch(new RegExp(`^/${field}(/|$)`));
    expect(await stored()).toEqual({});
  });

  it('accept a value of 1,024 characters, even if each has two code units', async () => {
    expect((await put('XNAT', '🧠'.repeat(1024))).status).toBe(201);
    expect(await stored()).toEqual({ XNAT: '🧠'.repeat(1024) });
  });

  it('are set by PUT with 201 if new or replaced and 200 if unchanged, and values for other systems are kept', async () => {
    expect((await put('XNAT', 'a')).status).toBe(201);
    expect((await put('PACS', 'a')).status).toBe(201);
    expect(await put('XNAT', 'b')).toMatchObject({ status: 201, body: { [field]: { XNAT: 'b', PACS: 'a' } } });
    expect(await put('XNAT', 'b')).toMatchObject({ status: 200, body: { [field]: { XNAT: 'b', PACS: 'a' } } });
  });

  it('are removed one at a time by DELETE, and a repeated DELETE returns 404', async () => {
    await post({ XNAT: 'a', PACS: 'a' });
    const params = { id, system_name: 'XNAT' };
    expect(await server.call(remove, { params })).toMatchObject({ status: 200, body: { [field]: { PACS: 'a' } } });
    expect(await server.call(remove, { params })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await stored()).toEqual({ PACS: 'a' });
  });

  it.each(['constructor', '__proto__'])('accept a system named %s like any other (V15.3.6)', async (system_name) => {
    const params = { id, system_name };
    expect((await server.call(remove, { params })).status).toBe(404);
    expect((await post(`{"${system_name}": "a"}`)).status).toBe(201);
    expect(Object.entries(await stored())).toEqual([[system_name, 'a']]);
    expect((await put(system_name, 'b')).status).toBe(201);
    expect((await put(system_name, 'b')).status).toBe(200);
    expect((await server.call(remove, { params })).status).toBe(200);
  });

  it('leave version and history unchanged if no value changes', async () => {
    await post({ XNAT: 'a' });
    const before = await state();
    await put('XNAT', 'a');
    await post({ XNAT: 'a' });
    expect(await state()).toEqual(before);
    await put('XNAT', 'b');
    expect(await state()).not.toEqual(before);
  });

  it('are included in the response for the owner', async () => {
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

describe('external IDs', () => {
  it('keep the id of their link when replaced, and get a new link if added again after removal', async () => {
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

  it('set by twenty concurrent requests to different values become one link, and each request gets 201', async () => {
    const { id } = await world.subject();
    const params = { id, system_name: 'XNAT' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.call('setSubjectExternalId', { params, body: { external_id: String(index) } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(201));
    expect(await linksOf(id)).toHaveLength(1);
  });
});
