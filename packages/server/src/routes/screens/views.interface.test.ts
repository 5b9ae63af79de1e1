/**
 * Saved views: who sees, shares, changes and deletes them, and what happens when two requests meet.
 *
 * @module-tag sql
 */
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

/** A user with a role in these cohorts only. */
async function userIn(role: 'user' | 'superuser', ...cohortIds: number[]): Promise<string> {
  const username = world.fresh('user').replace(' ', '_');
  await server.addUser(username, []);
  for (const cohort_id of cohortIds)
    await server.call('assignCohortRole', { params: { username, role_name: role, cohort_id } });
  return username;
}

const save = (as: string, more: object = {}) =>
  server.call('createView', { body: { name: world.fresh('view'), query: 'incident:any', ...more }, as });
const saved = async (as: string, more: object = {}): Promise<{ id: number; name: string }> => {
  const { status, body } = await save(as, more);
  expect(status).toBe(201);
  return body;
};
const read = (as: string, id: number) => server.call('getView', { params: { id }, as });
const change = (as: string, id: number, body: object, headers: Record<string, string> = {}) =>
  server.call('updateView', { params: { id }, body, headers, as });
const remove = (as: string, id: number) => server.call('deleteView', { params: { id }, as });
const namesSeenBy = async (as: string, query: Record<string, number> = {}) =>
  (await server.call('listViews', { query, as })).body.views.map(({ name }: { name: string }) => name);
const statusesOf = async (responses: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(responses)).map(({ status }) => status).toSorted((a, b) => a - b);

describe('a private view', () => {
  it('exists only for its owner, not even for administrators', async () => {
    const { id: cohortId } = await world.cohort();
    const owner = await userIn('user', cohortId);
    const { id, name } = await saved(owner);
    expect(await namesSeenBy(owner)).toEqual([name]);
    expect(await namesSeenBy('admin')).not.toContain(name);
    const statuses = [(await read('admin', id)).status, (await change('admin', id, { query: '' })).status];
    expect([...statuses, (await remove('admin', id)).status]).toEqual([404, 404, 404]);
    expect(await read(owner, id)).toMatchObject({ status: 200, body: { shared: false, cohort: null } });
  });

  it('is deleted with the account of its owner, but a shared view stays', async () => {
    const { id: cohortId } = await world.cohort();
    const owner = await userIn('superuser', cohortId);
    const [hidden, shared] = [await saved(owner), await saved(owner, { cohort_id: cohortId })];
    const [user] = await server.sql<{ id: number }>('select id::int from users where username = $1', [owner]);
    const params = { id: user?.id ?? 0 };
    await server.call('updateUser', { params, body: { active: false } });
    await server.call('updateUser', { params, body: { active: true } });
    expect((await read(owner, hidden.id)).status).toBe(200);
    await server.call('deleteUser', { params });
    await server.call('updateUser', { params, body: { active: true } });
    expect((await read(owner, hidden.id)).status).toBe(404);
    expect(await read('admin', shared.id)).toMatchObject({ status: 200, body: { owner: { id: params.id } } });
  });
});

describe('a shared view', () => {
  it('is visible to users who can read its cohort, and to no others', async () => {
    const [cohort, other] = [await world.cohort(), await world.cohort()];
    const [owner, reader] = [await userIn('superuser', cohort.id), await userIn('user', cohort.id)];
    const stranger = await userIn('superuser', other.id);
    const { id, name } = await saved(owner, { cohort_id: cohort.id });
    expect(await read(reader, id)).toMatchObject({ status: 200, body: { shared: true, cohort: { id: cohort.id } } });
    expect(await namesSeenBy(reader)).toEqual([name]);
    expect(await namesSeenBy(stranger)).toEqual([]);
    expect((await read(stranger, id)).status).toBe(404);
    expect((await remove(stranger, id)).status).toBe(404);
  });

  it('needs the permission sample_update in its cohort', async () => {
    const [cohort, other] = [await world.cohort(), await world.cohort()];
    const [reader, writer] = [await userIn('user', cohort.id), await userIn('superuser', other.id)];
    expect(await save(reader, { cohort_id: cohort.id })).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    expect((await save(writer, { cohort_id: cohort.id })).status).toBe(404);
    const { id } = await saved(reader);
    expect((await change(reader, id, { cohort_id: cohort.id })).status).toBe(403);
  });

  it('is changed only by its owner, and deleted also by users who can change its cohort', async () => {
    const cohort = await world.cohort();
    const [owner, reader] = [await userIn('superuser', cohort.id), await userIn('user', cohort.id)];
    const colleague = await userIn('superuser', cohort.id);
    const { id } = await saved(owner, { cohort_id: cohort.id });
    for (const as of [reader, colleague, 'admin']) expect((await change(as, id, { query: '' })).status).toBe(403);
    expect((await remove(reader, id)).status).toBe(403);
    expect((await remove(colleague, id)).status).toBe(200);
    expect((await read(owner, id)).status).toBe(404);
  });

  it('stays with its owner, who lost access to the cohort and can only delete it or make it private', async () => {
    const [cohort, other] = [await world.cohort(), await world.cohort()];
    const [owner, reader] = [await userIn('superuser', cohort.id, other.id), await userIn('user', cohort.id)];
    const [first, second] = [
      await saved(owner, { cohort_id: cohort.id }),
      await saved(owner, { cohort_id: cohort.id }),
    ];
    await server.call('removeCohortRole', {
      params: { username: owner, role_name: 'superuser', cohort_id: cohort.id },
    });
    expect(await read(owner, first.id)).toMatchObject({ status: 200, body: { shared: true, cohort: null } });
    expect((await read(owner, first.id)).body.cohort).toBeNull();
    expect((await read(reader, first.id)).body.cohort).toMatchObject({ id: cohort.id });
    expect((await change(owner, first.id, { query: '' })).status).toBe(403);
    expect((await change(owner, first.id, { cohort_id: null })).status).toBe(200);
    expect((await read(reader, first.id)).status).toBe(404);
    expect((await remove(owner, second.id)).status).toBe(200);
  });
});

describe('the name of a view', () => {
  it('is unique among the views of its owner, in upper or lower case', async () => {
    const { id: cohortId } = await world.cohort();
    const [one, other] = [await userIn('user', cohortId), await userIn('user', cohortId)];
    const { id } = await saved(one, { name: 'Énergie' });
    expect(await save(one, { name: 'éNERGIE' })).toMatchObject({
      status: 409,
      body: { code: 'already_exists', errors: [{ pointer: '/name' }] },
    });
    expect((await save(other, { name: 'éNERGIE' })).status).toBe(201);
    expect((await change(one, id, { name: 'ÉNERGIE' })).status).toBe(200);
  });

  it('orders the list, whose pages continue after a view', async () => {
    const { id: cohortId } = await world.cohort();
    const owner = await userIn('user', cohortId);
    for (const name of ['b', 'C', 'a', 'D']) await saved(owner, { name });
    expect(await namesSeenBy(owner)).toEqual(['a', 'b', 'C', 'D']);
    const { body, headers } = await server.call('listViews', { query: { limit: 2 }, as: owner });
    const last = body.views[1].id as number;
    expect(headers.get('link')).toContain(`after=${last}`);
    expect(await namesSeenBy(owner, { after: last })).toEqual(['C', 'D']);
    await remove(owner, last);
    expect(await server.call('listViews', { query: { after: last }, as: owner })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '?after' }] },
    });
  });
});

describe('the query of a view', () => {
  it('must be valid, and the error points at the word', async () => {
    const { status, body } = await save('admin', { query: 'id:5 stat:done' });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: '/query', detail: expect.any(String), column: 6, length: 4, suggestion: 'Did you mean state?' },
    ]);
  });

  it('can name something that does not exist yet', async () => {
    expect((await save('admin', { query: 'state:not_imported_yet' })).status).toBe(201);
  });

  it('is not in the history, and neither is the name, which can both contain labels of subjects', async () => {
    const { id } = await saved('admin', { name: 'secret name', query: 'secret_query', columns: ['secret.column'] });
    await change('admin', id, { name: 'secret name 2', query: 'secret_query_2', columns: ['secret.column2'] });
    await remove('admin', id);
    const entries = await server.sql<{ operation: string; before: object | null; after: object | null }>(
      `select operation, before, after from history_with_values where operation like '%View'
       and coalesce(after, before) ->> 'view_id' = $1 order by id`,
      [String(id)],
    );
    const ids = { view_id: id, cohort_id: null };
    expect(entries).toEqual([
      { operation: 'createView', before: null, after: ids },
      { operation: 'updateView', before: ids, after: { ...ids, changed: ['name', 'query', 'columns'] } },
      { operation: 'deleteView', before: ids, after: null },
    ]);
    const [{ texts } = { texts: '' }] = await server.sql<{ texts: string }>(
      `select string_agg(one::text, '') as texts from (
         select row_to_json(history_with_values)::text from history_with_values
         union all select row_to_json(events)::text from events) as rows (one)`,
    );
    expect(texts).not.toContain('secret');
  });
});

describe('two requests at the same time', () => {
  it('do not overwrite each other: the second one with the same If-Match gets 412', async () => {
    const { id } = await saved('admin');
    const changes = ['state:a', 'state:b'].map((query) => change('admin', id, { query }, { 'if-match': '"1"' }));
    expect(await statusesOf(changes)).toEqual([200, 412]);
    expect((await read('admin', id)).headers.get('etag')).toBe('"2"');
  });

  it('do not save two views with the same name', async () => {
    const name = world.fresh('view');
    expect(await statusesOf([save('admin', { name }), save('admin', { name })])).toEqual([201, 409]);
  });

  it('do not exceed 100 views of a user', async () => {
    const { id: cohortId } = await world.cohort();
    const owner = await userIn('user', cohortId);
    await server.sql(
      `insert into views (owner_id, name, name_key, query) select users.id, n::text, n::text, ''
       from users, generate_series(1, 99) n where username = $1`,
      [owner],
    );
    expect(await statusesOf([save(owner), save(owner), save(owner)])).toEqual([201, 409, 409]);
  });
});

it('a request that changes nothing keeps the version of the view', async () => {
  const { id } = await saved('admin', { columns: ['state'] });
  const { headers } = await change('admin', id, { query: 'incident:any', columns: ['state'] });
  expect(headers.get('etag')).toBe('"1"');
});
