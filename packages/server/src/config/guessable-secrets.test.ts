/** What is no secret does not become one by being set: nothing starts with an example of our own pages or with a placeholder. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readConfig, readMigrationSettings, SettingsError } from '../config.ts';
import { secretSettings } from './secrets.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Everything that people read, and the sources whose messages show examples. */
const shown = ['README.md', 'SECURITY.md', 'docs', 'examples', 'packages/*/openapi.json', 'packages/**/src/**'];
const files = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z', '--', ...shown], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((name) => /\.(md|sh|txt|py|ya?ml|json|ts)$/.test(name) && !/\.test\.ts$|docs\/decisions/.test(name));

/** How a secret stands in a text: in an address, in SQL, in YAML or JSON, as a login, as a setting, in what is printed. */
const forms = [
  /\w:\/\/[\w.-]+:([^\s@/'"`]+)@/g,
  /\bpassword '([^'\n]+)'/g,
  /(?<![\w.])"?password"?: ?["']([^"'\n]+)["']/g,
  /\blogin='[\w.-]+:([^'\n]+)'/g,
  /\b[A-Z_]*(?:PASSWORD|SECRET)=["']?([^\s"'`]+)/g,
  /\bPassword: (\S+)/g,
];
/** What a shell or a program puts in, and what was left out. */
const isFilledIn = (text: string) => /^[$*.(]|\$\{/.test(text) || text === 'path';

const literalsIn = (text: string): string[] =>
  forms.flatMap((form) => [...text.matchAll(form)].map(([, found = '']) => found)).filter((one) => !isFilledIn(one));
const literals = [...new Set(files.flatMap((name) => literalsIn(readFileSync(root + name, 'utf8'))))];

const settingsWith: Record<string, (secret: string) => string> = {
  DATABASE_URL: (secret) => `postgresql://app:${encodeURIComponent(secret)}@db/m`,
  MILEPOST_OWNER_DATABASE_URL: (secret) => `postgresql://owner:${encodeURIComponent(secret)}@db/m`,
  MILEPOST_ADMIN_PASSWORD: (secret) => secret,
  MILEPOST_SMTP_URL: (secret) => `smtps://me:${encodeURIComponent(secret)}@mail.example.org`,
  MILEPOST_OIDC_CLIENT_SECRET: (secret) => secret,
};

function start(name: string, value: string): unknown {
  const environment = { DATABASE_URL: 'postgresql://app@db/m', MILEPOST_MAIL_FROM: 'a@b.example', [name]: value };
  return name.includes('OWNER') ? readMigrationSettings(environment) : readConfig(environment);
}
const startWith = (name: string, secret: string) => start(name, settingsWith[name]?.(secret) ?? '');

function complaint(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  return 'it started';
}

describe('the texts that people read', () => {
  it('are searched: what they are known to show is found', () => {
    expect(literals).toEqual(
      expect.arrayContaining(['secret', 'the-printed-password', 'your-own-password', 'a sentence is a fine password']),
    );
    const text = `postgresql://a:one@db create role b password 'two' {password: "three"} login='c:four' X_SECRET=five`;
    expect(literalsIn(text)).toEqual(['one', 'two', 'three', 'four', 'five']);
  });
});

describe.each(secretSettings)('%s', (name) => {
  it.each(literals)('is refused if it is the example %j (V13.2.3)', (literal) => {
    expect(complaint(() => startWith(name, literal))).toMatch(
      new RegExp(`${name} is "\\(hidden\\)": its secret .*:.* \\w+`),
    );
  });

  it.each([
    ['hunter2', 'at least 12 characters'],
    ['first-secret', 'tried first'],
    ['change-me-please', 'tried first'],
    ['ChangeMe!2026', 'tried first'],
    ['<your-client-secret>', 'tried first'],
    ['postgres_password', 'tried first'],
    ['milepost_app', 'tried first'],
    ['xxxxxxxxxxxxxxxx', 'repeated'],
    ['sonyericsson', 'stolen elsewhere'],
  ])('is refused if it is %j, with what to do about it', (secret, why) => {
    const message = complaint(() => startWith(name, secret));
    expect(message).toContain(`${name} is "(hidden)": its secret`);
    expect(message).toContain(why);
    expect(message).toMatch(/openssl rand -hex 24|the provider make one/);
    expect(message).not.toContain(secret);
  });

  it.each(['7d1f0a9c44be83206de5b1aa90f3c7e2', 'Kq/7+vT0@m:Zw3#x?L9%', '948201746538'])('may be %j', (secret) => {
    expect(() => startWith(name, secret)).not.toThrow();
  });
});

describe('an address of PostgreSQL', () => {
  it('may have no password', () => {
    expect(() => start('DATABASE_URL', 'postgresql://app@db/m')).not.toThrow();
    expect(() => start('DATABASE_URL', 'postgresql:///m?host=/run/postgresql')).not.toThrow();
  });

  it('may not have the name of its role as password, nor a bad one in its query', () => {
    expect(complaint(() => start('DATABASE_URL', 'postgresql://study_seven:study_seven@db/m'))).toContain(
      'at least 12',
    );
    expect(complaint(() => start('DATABASE_URL', 'postgresql://study_eleven:study_eleven@db/m'))).toContain('username');
    expect(complaint(() => start('DATABASE_URL', 'postgresql://app@db/m?password=first-secret'))).toContain('first:');
  });

  it('with its password in the query is kept out of the log', () => {
    expect(readConfig({ DATABASE_URL: 'postgresql://app@db/m?password=s3cret-of-mine' }).secrets).toContain(
      's3cret-of-mine',
    );
  });
});
