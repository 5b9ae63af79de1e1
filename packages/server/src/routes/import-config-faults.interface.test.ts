/**
 * import-config with files that have faults: every one is told with its place, and nothing is saved.
 *
 * @module-tag sql
 */
import { basic, operations } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const everything = () =>
  server.sql(
    `select (select jsonb_agg(r) from roles r) as roles, (select jsonb_agg(u) from users u) as users,
            (select count(*) from external_systems) as systems, (select count(*) from scantypes) as scantypes,
            (select count(*) from history) as history, (select count(*) from events) as events`,
  );
interface Told {
  line: number;
  column: number;
  detail: string;
}
const both = ['importConfig', 'overwriteConfig'] as const;
const faults = async (name: (typeof both)[number], config_definition: string): Promise<Told[]> => {
  const before = await everything();
  const { status, body } = await server.call(name, { body: { config_definition } });
  expect([status, body.code]).toEqual([400, 'invalid_definition']);
  expect(await everything()).toEqual(before);
  for (const { pointer } of body.errors) expect(pointer).toBe('/config_definition');
  return body.errors;
};
const places = (told: Told[]) => told.map(({ line, column }) => `${line}:${column}`);

describe.each(both)('%s', (name) => {
  it('tells every fault at once, each with line, column and what would be right', async () => {
    const file = `roles:
  - name: 5
  - {nmae: x, permissions: 7}
users:
  - {username: "a:b", email: nowhere, password: short, active: yes}
external_systems:
  - {system_name: XNAT}
scantypes: none
`;
    const told = await faults(name, file);
    expect(told.map(({ line, column, detail }) => [line, column, detail.replace(/^Line.*?: /, '')])).toEqual([
      [2, 11, '/roles/0/name must be text.'],
      [3, 5, '/roles/1/name is required and missing.'],
      [3, 12, '/roles/1/nmae is not known: did you mean "name"?'],
      [3, 28, expect.stringMatching(/^\/roles\/1\/permissions must be a list, or text/)],
      [5, 16, expect.stringMatching(/^\/users\/0\/username must have no control characters/)],
      [5, 30, expect.stringMatching(/^\/users\/0\/email /)],
      [5, 49, '/users/0/password must have at least 12 characters.'],
      [5, 64, '/users/0/active must be true or false.'],
      [7, 5, '/external_systems/0/url is required and missing.'],
      [8, 12, '/scantypes must be a list.'],
    ]);
  });

  it('tells every poor password, and every username with a foreign @, with its place', async () => {
    const told = await faults(
      name,
      `external_systems: [{system_name: new, url: "https://new"}]
users:
  - {username: a, email: a@example.org, password: Password2026!}
  - {username: b@elsewhere.org, email: b@example.org, password: a sentence of mine}
  - {username: c, email: c@example.org, password: a sentence of mine}
  - {username: long.enough, email: d@example.org, password: d@example.org}
`,
    );
    expect(places(told)).toEqual(['3:51', '4:16', '6:61']);
    expect(told[0]?.detail).toMatch(/^Line 3, column 51: \/users\/0\/password is among the passwords/);
    expect(JSON.stringify(told)).not.toContain('Password2026');
  });

  it('tells every new user who comes without a password', async () => {
    const file =
      'users:\n  - {username: a, email: a@x}\n  - {username: admin, email: admin@example.org}\n  - {username: b, email: b@x}\n';
    const told = await faults(name, file);
    expect(places(told)).toEqual(['2:5', '4:5']);
    expect(told[1]?.detail).toContain('/users/2 is a new user and needs a password.');
  });

  it.each([
    ['text that is no YAML', 'roles: [', /^Line 1/],
    ['two documents', 'roles: []\n---\nroles: []', /^Line 2, column 1: only one document/],
    ['merge keys', 'roles:\n  - &a {name: x}\n  - {<<: *a}', /^Line 3, column 6: merge keys/],
    ['a tag', 'roles: !mine []', /tags/],
    ['51 aliases', `roles: [{name: &a x}]\nscantypes: [${Array(51).fill('*a').join(', ')}]`, /more than 50 aliases/],
    ['an alias of nothing', 'roles: *nobody', /\*nobody is not known/],
    ['NUL', 'roles: [{name: x, description: "a\\0b"}]', /NUL/],
    ['half of a character', 'roles: [{name: x, description: "\\udc00"}]', /lone surrogate/],
    ['nothing but a comment', '# later', /names with values/],
    ['more than 256 KiB', `roles: [] # ${'x'.repeat(256 * 1024)}`, /larger than 256 KiB/],
    ['deep nesting', `roles: ${'['.repeat(3000)}${']'.repeat(3000)}`, /nested too deeply/],
  ])('refuses %s', async (_what, file, detail) => {
    const [fault] = await faults(name, file);
    expect(fault?.detail).toMatch(detail);
  });

  // Each U+0958 becomes two characters when it is normalised, so that what fits at first fits no more.
  const growing = '\u0958';
  it.each([
    ['the name of a system', `external_systems: [{system_name: ${growing.repeat(60)}, url: "https://x"}]`, 100],
    ['the name of a role', `roles: [{name: ${growing.repeat(200)}}]`, 255],
    ['a permission', `roles: [{name: x, permissions: [${growing.repeat(200)}]}]`, 255],
    ['a username', `users: [{username: ${growing.repeat(200)}, email: a@x.org, password: a sentence of mine}]`, 255],
    ['a protocol', `scantypes: [{protocol: ${growing.repeat(200)}}]`, 255],
  ])('refuses %s that grows beyond its limit when it is normalised', async (_what, file, limit) => {
    const [fault, ...more] = await faults(name, file);
    expect(fault?.detail).toMatch(new RegExp(`^Line 1, column \\d+: .* must have at most ${limit} characters`));
    expect(more).toEqual([]);
  });

  it('takes a name that just fits once it is normalised', async () => {
    const config_definition = `external_systems: [{system_name: ${growing.repeat(50)}, url: "https://${name}"}]`;
    expect((await server.call(name, { body: { config_definition } })).status).toBeLessThan(300);
    const stored = await server.sql<{ length: number }>(
      'select char_length(system_name) as length from external_systems',
    );
    expect(stored).toEqual([{ length: 100 }]);
  });

  it('refuses the billion laughs without writing them out, in a short file and in a long one', async () => {
    const laughs = Array.from({ length: 9 }, (_, level) => {
      const inner =
        level === 0
          ? 'lol'
          : Array(5)
              .fill(`*a${level - 1}`)
              .join(', ');
      return `a${level}: &a${level} [${inner}]`;
    }).join('\n');
    for (const file of [laughs, `# ${'x'.repeat(10_000)}\n${laughs}`]) {
      const [fault] = await faults(name, file);
      expect(fault?.detail).toContain('Aliases of aliases');
    }
  });

  it('tells the faults of a file over 8 KiB, which is read in a thread, like those of a short one', async () => {
    const entries = Array.from({ length: 400 }, (_, index) => `  - {name: r${index}, description: long enough}`);
    const told = await faults(name, `roles:\n${entries.join('\n')}\n  - {name: 5}\n`);
    expect(places(told)).toEqual(['402:12']);
  });

  it('with a role that nobody knows is 404 with its place, and saves nothing', async () => {
    const before = await everything();
    const user = '{username: x, email: x@example.org, password: a sentence of mine, roles: [user, nobody]}';
    // Not through the harness, which holds answers to the table: the table has no 404 for imports yet.
    const { method, path } = operations[name];
    const response = await fetch(server.baseUrl + path, {
      method,
      headers: { authorization: basic('admin', testPassword), 'content-type': 'application/json' },
      body: JSON.stringify({ config_definition: `scantypes: [{protocol: new}]\nusers:\n  - ${user}\n` }),
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: 'not_found',
      detail: 'There is no role with the name "nobody". Nothing was saved.',
      errors: [{ pointer: '/config_definition', line: 3, column: 78 }],
    });
    expect(await everything()).toEqual(before);
  });
});
