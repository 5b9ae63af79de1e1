/**
 * import-config: POST adds, PUT overwrites, and the response lists the changes.
 *
 * @module-tag sql
 */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/cases/world.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const post = (config_definition: string, query: Parts['query'] = {}) =>
  server.call('importConfig', { body: { config_definition }, query });
const put = (config_definition: string, query: Parts['query'] = {}) =>
  server.call('overwriteConfig', { body: { config_definition }, query });
const empty = { roles: [], users: [], external_systems: [], scantypes: [], warnings: [] };
/** Everything an import can change, with the numbers of history entries and events. */
const everything = () =>
  server.sql(
    `select (select jsonb_agg(r order by id) from roles r) as roles, (select jsonb_agg(u order by id) from users u) as users,
            (select jsonb_agg(ur order by user_id, role_id) from user_roles ur) as user_roles,
            (select jsonb_agg(e order by id) from external_systems e) as systems,
            (select jsonb_agg(s order by id) from scantypes s) as scantypes,
            (select count(*) from history) as history, (select count(*) from events) as events`,
  );
const roleNamed = async (name: string) => (await server.sql('select * from roles where name = $1', [name]))[0];
const rolesOf = async (username: string) => {
  const rows = await server.sql<{ name: string }>(
    `select roles.name from users join user_roles on user_id = users.id join roles on roles.id = role_id
     where username = $1 order by roles.name`,
    [username],
  );
  return rows.map(({ name }) => name);
};

const whole = `
roles:
  - {name: reader of whole, description: Reads, permissions: [user_read, sample_add]}
users:
  - username: whole
    email: whole@example.org
    password: a sentence of the file
    name: Whole
    roles: [reader of whole, superuser]
external_systems:
  - {system_name: WHOLE, url: "https://whole.example.org"}
scantypes:
  - {modality: MR, protocol: T1 of whole}
`;

describe('importing a configuration file', () => {
  it('with POST returns 201 and lists the added objects', async () => {
    const { status, body } = await post(whole);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      roles: [{ name: 'reader of whole' }],
      users: [{ username: 'whole', name: 'Whole' }],
      external_systems: [{ system_name: 'WHOLE', url: 'https://whole.example.org' }],
      scantypes: [{ modality: 'MR', protocol: 'T1 of whole' }],
      warnings: [],
    });
    expect(await rolesOf('whole')).toEqual(['reader of whole', 'superuser']);
    const authorization = basic('whole@example.org', 'a sentence of the file');
    const cohort = await server.call('createCohort', {
      body: { label: 'by whole' },
      as: null,
      headers: { authorization },
    });
    expect(cohort.status).toBe(201);
  });

  it.each([
    ['POST', post],
    ['PUT', put],
  ])('again with %s returns 200 with empty lists and changes nothing', async (_method, send) => {
    const before = await everything();
    const { status, body } = await send(whole);
    expect(status).toBe(200);
    expect(body).toEqual({ ...empty, updated_at: expect.any(String) });
    expect(await everything()).toEqual(before);
  });

  const changed = whole
    .replace('Reads', 'Reads more')
    .replace('[user_read, sample_add]', '[user_read]')
    .replace('name: Whole', 'name: Changed')
    .replace('[reader of whole, superuser]', '[user]')
    .replace('a sentence of the file', 'another sentence of it')
    .replace('https://whole', 'https://changed')
    .replace('modality: MR', 'modality: CT');

  it('with POST after a change to the file keeps the existing objects and returns 200 with empty lists', async () => {
    const before = await everything();
    expect(await post(changed)).toMatchObject({ status: 200, body: empty });
    expect(await everything()).toEqual(before);
  });

  it('with PUT after a change to the file overwrites the objects, returns 200 and lists the changes', async () => {
    const { status, body } = await put(changed);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      roles: [{ name: 'reader of whole' }],
      users: [{ username: 'whole', name: 'Changed' }],
      external_systems: [{ system_name: 'WHOLE', url: 'https://changed.example.org' }],
      scantypes: [{ modality: 'CT', protocol: 'T1 of whole' }],
    });
    expect(await roleNamed('reader of whole')).toMatchObject({ description: 'Reads more', permissions: ['user_read'] });
    expect(await rolesOf('whole')).toEqual(['user']);
    const params = { id: body.users[0].id };
    const read = (password: string) =>
      server.call('getUser', { params, as: null, headers: { authorization: basic('whole', password) } });
    expect((await read('another sentence of it')).status).toBe(200);
    expect((await read('a sentence of the file')).status).toBe(401);
  });

  it('with PUT keeps fields and objects that the file does not mention', async () => {
    const before = await everything();
    const partial = 'roles: [{name: reader of whole}]\nusers: [{username: whole, email: whole@example.org}]\n';
    expect(await put(partial)).toMatchObject({ status: 200, body: empty });
    expect(await put('roles:\nusers:\n')).toMatchObject({ status: 200, body: empty });
    expect(await everything()).toEqual(before);
  });
});

describe('dry_run', () => {
  it.each([
    ['POST', post],
    ['PUT', put],
  ])('with %s returns 200 and the planned changes, but changes nothing', async (_method, send) => {
    const before = await everything();
    const file = 'external_systems: [{system_name: DRY, url: "https://dry"}]\nroles: [{name: dry, permissions: [x]}]\n';
    const { status, body } = await send(file, { dry_run: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({ external_systems: [{ system_name: 'DRY' }], roles: [{ name: 'dry' }] });
    expect(body.warnings).toHaveLength(1);
    expect(await everything()).toEqual(before);
  });

  it('rejects a file that the import would reject, and a value that is not a boolean', async () => {
    const file = 'users: [{username: admin, email: admin@example.org, active: false}]';
    expect((await put(file, { dry_run: true })).body).toMatchObject({ status: 409, code: 'last_admin' });
    expect((await put(file, { dry_run: 'yes' })).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '?dry_run' }],
    });
  });
});

describe('permissions and roles in the file', () => {
  it('can be a list or a comma-separated string', async () => {
    await post('roles: [{name: commas, permissions: " user_read , sample_add,, "}]');
    expect(await roleNamed('commas')).toMatchObject({ permissions: ['user_read', 'sample_add'] });
    await post(
      `users: [{username: commas, email: commas@example.org, password: ${testPassword}, roles: "commas, superuser"}]`,
    );
    expect(await rolesOf('commas')).toEqual(['commas', 'superuser']);
  });

  it('can include unknown permissions, which cause a warning', async () => {
    const { status, body } = await post('roles: [{name: odd, permissions: [user_read, fly]}]');
    expect(status).toBe(201);
    expect(body.warnings).toEqual([
      {
        code: 'unknown_permission',
        message: expect.stringMatching(/role odd .* "fly"/),
        line: 1,
        column: 46,
      },
    ]);
    expect(await roleNamed('odd')).toMatchObject({ permissions: ['user_read', 'fly'] });
  });

  it('warn if a role has only unknown permissions, because it does not allow reading', async () => {
    const { body } = await post('roles: [{name: all odd, permissions: [fly]}]');
    expect(body.warnings).toMatchObject([{ message: expect.stringContaining('does not allow reading') }]);
  });

  it('can refer to roles defined in the same file', async () => {
    const user = `{username: same, email: same@example.org, password: ${testPassword}, roles: same file}`;
    expect((await post(`users: [${user}]\nroles: [{name: same file}]\n`)).status).toBe(201);
    expect(await rolesOf('same')).toEqual(['same file']);
  });

  it('default to the role user for a new user', async () => {
    await post(`users: [{username: bare, email: bare@example.org, password: ${testPassword}}]`);
    expect(await rolesOf('bare')).toEqual(['user']);
  });

  it('assign no role to a new user if the list of roles is empty', async () => {
    await post(`users: [{username: none, email: none@example.org, password: ${testPassword}, roles: []}]`);
    expect(await server.sql(`select id from users where username = 'none'`)).toHaveLength(1);
    expect(await rolesOf('none')).toEqual([]);
  });
});

describe('the role admin', () => {
  it.each([
    ['POST', post],
    ['PUT', put],
  ])('is not changed by %s, which returns a warning', async (_method, send) => {
    const before = await roleNamed('admin');
    const { status, body } = await send('roles: [{name: admin, description: Mine, permissions: [user_read]}]');
    expect(status).toBe(200);
    expect(body).toMatchObject({ roles: [], warnings: [{ message: expect.stringContaining('admin') }] });
    expect(await roleNamed('admin')).toEqual(before);
  });
});

describe('a user in the file', () => {
  it('matches an account by username or e-mail, ignoring case', async () => {
    const { id, username } = await world.user();
    const byName = await put(`users: [{username: ${username.toUpperCase()}, email: new.${username}@example.org}]`);
    expect(byName.body.users).toMatchObject([{ id }]);
    const byEmail = await put(`users: [{username: renamed.${username}, email: NEW.${username}@example.org}]`);
    expect(byEmail.body.users).toMatchObject([{ id, username: `renamed.${username}` }]);
  });

  it('can repeat a role, which counts once', async () => {
    const { username } = await world.user();
    const file = `users: [{username: ${username}, email: ${username}@example.org, roles: [user, user]}]`;
    await put(file);
    expect((await put(file)).body.users).toEqual([]);
  });

  it('is rejected with 409 and its position if username and e-mail match different accounts', async () => {
    const [one, other] = [await world.user(), await world.user()];
    const before = await everything();
    for (const send of [post, put]) {
      const { status, body } = await send(
        `users:\n  - {username: ${one.username}, email: ${other.username}@example.org}`,
      );
      expect([status, body.code]).toEqual([409, 'ambiguous_reference']);
      expect(body.errors).toMatchObject([{ pointer: '/config_definition', line: 2, column: 5 }]);
    }
    expect(await everything()).toEqual(before);
  });
});

describe('a file over 8 KiB, which is parsed in a thread', () => {
  it('is imported completely', async () => {
    const entries = Array.from({ length: 300 }, (_, index) => `  - {system_name: S${index}, url: "https://${index}"}`);
    const file = `external_systems:\n${entries.join('\n')}\n`;
    expect(file.length).toBeGreaterThan(8 * 1024);
    const { status, body } = await post(file);
    expect(status).toBe(201);
    expect(body.external_systems).toHaveLength(300);
    expect(body.external_systems[299]).toMatchObject({ system_name: 'S299', url: 'https://299' });
    expect(await post(file)).toMatchObject({ status: 200, body: empty });
  });
});

describe('ten concurrent imports of the same file', () => {
  it('add everything once, with one 201 response and nine 200 responses', async () => {
    const file = 'roles: [{name: once}]\nexternal_systems: [{system_name: ONCE, url: "https://once"}]\n';
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(file)));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([...Array<string>(9).fill('200'), '201']);
  });
});
