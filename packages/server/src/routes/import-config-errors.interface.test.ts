/**
 * import-config with invalid files: every error is reported with its position, and nothing is saved.
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
interface FileError {
  line: number;
  column: number;
  detail: string;
}
const imports = ['importConfig', 'overwriteConfig'] as const;
const errorsOf = async (name: (typeof imports)[number], config_definition: string): Promise<FileError[]> => {
  const before = await everything();
  const { status, body } = await server.call(name, { body: { config_definition } });
  expect([status, body.code]).toEqual([400, 'invalid_definition']);
  expect(await everything()).toEqual(before);
  for (const { pointer } of body.errors) expect(pointer).toBe('/config_definition');
  return body.errors;
};
const positions = (errors: FileError[]) => errors.map(({ line, column }) => `${line}:${column}`);

describe.each(imports)('%s', (name) => {
  it('reports all errors together, each with line, column and the expected value', async () => {
    const file = `roles:
  - name: 5
  - {nmae: x, permissions: 7}
users:
  - {username: "a:b", email: nowhere, password: short, active: yes}
external_systems:
  - {system_name: XNAT}
scantypes: none
`;
    const errors = await errorsOf(name, file);
    expect(errors.map(({ line, column, detail }) => [line, column, detail.replace(/^Line.*?: /, '')])).toEqual([
      [2, 11, '/roles/0/name must be text.'],
      [3, 5, '/roles/1/name is required.'],
      [3, 12, '/roles/1/nmae is not a known field. Did you mean "name"?'],
      [3, 28, expect.stringMatching(/^\/roles\/1\/permissions must be a list, or text/)],
      [5, 16, expect.stringMatching(/^\/users\/0\/username must not contain colons or control characters/)],
      [5, 30, expect.stringMatching(/^\/users\/0\/email /)],
      [5, 64, '/users/0/active must be true or false.'],
      [7, 5, '/external_systems/0/url is required.'],
      [8, 12, '/scantypes must be a list.'],
    ]);
  });

  it("reports the position of every username with an @ that is not the user's e-mail, and no rejected password", async () => {
    const errors = await errorsOf(
      name,
      `external_systems: [{system_name: new, url: "https://new"}]
users:
  - {username: a, email: a@example.org, password: Password2026!}
  - {username: b@elsewhere.org, email: b@example.org, password: a sentence of mine}
  - {username: c, email: c@example.org, password: a sentence of mine}
`,
    );
    expect(positions(errors)).toEqual(['4:16']);
  });

  it('reports every new user without a password', async () => {
    const file =
      'users:\n  - {username: a, email: a@x}\n  - {username: admin, email: admin@example.org}\n  - {username: b, email: b@x}\n';
    const errors = await errorsOf(name, file);
    expect(positions(errors)).toEqual(['2:5', '4:5']);
    expect(errors[1]?.detail).toContain('/users/2 is a new user and needs a password.');
  });

  it('reports entries that identify the same object, with the lines of both', async () => {
    const errors = await errorsOf(
      name,
      `roles:
  - {name: reader}
  - {name: Reader}
  - {name: reader, permissions: [user_read]}
users:
  - {username: ann, email: ann@example.org, password: a sentence of mine}
  - {username: ben, email: ben@example.org, password: a sentence of mine}
  - {username: ANN, email: Ann@Example.org, password: a sentence of mine}
  - {username: eve, email: Ben@Example.org, password: a sentence of mine}
external_systems:
  - {system_name: XNAT, url: "https://one.example.org"}
  - {system_name: XNAT, url: "https://two.example.org"}
scantypes:
  - protocol: T1
  - protocol: T1
    modality: MR
`,
    );
    expect(errors.map(({ detail }) => detail)).toEqual([
      'Line 4, column 12: /roles/2/name "reader" is already on line 2. Remove one of the entries.',
      'Line 8, column 16: /users/2/username "ANN" is already on line 6. Remove one of the entries.',
      'Line 9, column 28: /users/3/email "Ben@Example.org" is already on line 7. Remove one of the entries.',
      'Line 12, column 19: /external_systems/1/system_name "XNAT" is already on line 11. Remove one of the entries.',
      'Line 15, column 15: /scantypes/1/protocol "T1" is already on line 14. Remove one of the entries.',
    ]);
  });

  it('reports at most 20 duplicates', async () => {
    expect(await errorsOf(name, `scantypes:\n${'  - protocol: T1\n'.repeat(100)}`)).toHaveLength(20);
  });

  it.each([
    [
      'a repeated key',
      'roles: []\nusers: []\nroles: []',
      /^Line 3, column 1: the key "roles" is already on line 1\. Remove one of the two\.$/,
    ],
    ['invalid YAML', 'roles: [', /^Line 1/],
    ['two documents', 'roles: []\n---\nroles: []', /^Line 2, column 1: a second document/],
    ['merge keys', 'roles:\n  - &a {name: x}\n  - {<<: *a}', /^Line 3, column 6: merge keys/],
    ['a tag', 'roles: !mine []', /tags/],
    [
      'more than 50 aliases',
      `roles: [{name: &a x}]\nscantypes: [${Array(51).fill('*a').join(', ')}]`,
      /more than 50 aliases/,
    ],
    ['an undefined alias', 'roles: *nobody', /\*nobody is not defined/],
    ['a NUL character', 'roles: [{name: x, description: "a\\0b"}]', /NUL/],
    ['a lone surrogate', 'roles: [{name: x, description: "\\udc00"}]', /lone surrogate/],
    ['a file with only a comment', '# later', /must be a mapping/],
    ['a file larger than 256 KiB', `roles: [] # ${'x'.repeat(256 * 1024)}`, /larger than 256 KiB/],
    ['nesting that is too deep', `roles: ${'['.repeat(3000)}${']'.repeat(3000)}`, /nested too deeply/],
  ])('rejects %s', async (_what, file, detail) => {
    const [error] = await errorsOf(name, file);
    expect(error?.detail).toMatch(detail);
  });

  // NFC turns each U+0958 into two characters.
  const growing = '\u0958';
  it.each([
    ['a system name', `external_systems: [{system_name: ${growing.repeat(60)}, url: "https://x"}]`, 100],
    ['a role name', `roles: [{name: ${growing.repeat(200)}}]`, 255],
    ['a permission', `roles: [{name: x, permissions: [${growing.repeat(200)}]}]`, 255],
    ['a username', `users: [{username: ${growing.repeat(200)}, email: a@x.org, password: a sentence of mine}]`, 255],
    ['a protocol', `scantypes: [{protocol: ${growing.repeat(200)}}]`, 255],
  ])('rejects %s that exceeds its limit after normalisation', async (_what, file, limit) => {
    const [error, ...more] = await errorsOf(name, file);
    expect(error?.detail).toMatch(new RegExp(`^Line 1, column \\d+: .* must have at most ${limit} characters`));
    expect(more).toEqual([]);
  });

  it('accepts a name that has exactly the maximum length after normalisation', async () => {
    const config_definition = `external_systems: [{system_name: ${growing.repeat(50)}, url: "https://${name}"}]`;
    expect((await server.call(name, { body: { config_definition } })).status).toBeLessThan(300);
    const stored = await server.sql<{ length: number }>(
      'select char_length(system_name) as length from external_systems',
    );
    expect(stored).toEqual([{ length: 100 }]);
  });

  it('rejects a billion laughs file without expanding it, whether it is short or long', async () => {
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
      const [error] = await errorsOf(name, file);
      expect(error?.detail).toContain('Nested aliases');
    }
  });

  it('reports the errors of a file over 8 KiB, which is parsed in a thread', async () => {
    const entries = Array.from({ length: 400 }, (_, index) => `  - {name: r${index}, description: long enough}`);
    const errors = await errorsOf(name, `roles:\n${entries.join('\n')}\n  - {name: 5}\n`);
    expect(positions(errors)).toEqual(['402:12']);
  });

  it('returns 404 with the position of an unknown role and saves nothing', async () => {
    const before = await everything();
    const user = '{username: x, email: x@example.org, password: a sentence of mine, roles: [user, nobody]}';
    // server.call would reject the response: the operation table lists no 404 for imports yet.
    const { method, path } = operations[name];
    const response = await fetch(server.baseUrl + path, {
      method,
      headers: { authorization: basic('admin', testPassword), 'content-type': 'application/json' },
      body: JSON.stringify({ config_definition: `scantypes: [{protocol: new}]\nusers:\n  - ${user}\n` }),
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: 'not_found',
      detail: 'No role "nobody". Nothing was saved.',
      errors: [{ pointer: '/config_definition', line: 3, column: 78 }],
    });
    expect(await everything()).toEqual(before);
  });
});
