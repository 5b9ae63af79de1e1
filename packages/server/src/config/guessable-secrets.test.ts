/** Weak secrets are rejected: examples from our documentation, placeholders and common passwords. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readConfig, readMigrationSettings, SettingsError } from '../config.ts';
import { secretSettings } from './secrets.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The documentation, and the sources, whose messages contain examples. */
const published = ['README.md', 'SECURITY.md', 'docs', 'examples', 'packages/*/openapi.json', 'packages/**/src/**'];
const files = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z', '--', ...published], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((name) => /\.(md|sh|txt|py|ya?ml|json|ts)$/.test(name) && !/\.test\.ts$|docs\/decisions/.test(name));

/** The forms of a secret in a text: in a URL, in SQL, in YAML or JSON, as a login, as a setting, in printed output. */
const forms = [
  /\w:\/\/[\w.-]+:([^\s@/'"`]+)@/g,
  /\bpassword '([^'\n]+)'/g,
  /(?<![\w.])"?password"?: ?["']([^"'\n]+)["']/g,
  /\blogin='[\w.-]+:([^'\n]+)'/g,
  /\b[A-Z_]*(?:PASSWORD|SECRET)=["']?([^\s"'`]+)/g,
  /\bPassword: (\S+)/g,
];
/** Variables and placeholders such as `$password`, `***` and `...`. */
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

function readSetting(name: string, value: string): unknown {
  const environment = { DATABASE_URL: 'postgresql://app@db/m', MILEPOST_MAIL_FROM: 'a@b.example', [name]: value };
  return name.includes('OWNER') ? readMigrationSettings(environment) : readConfig(environment);
}
const readSecret = (name: string, secret: string) => readSetting(name, settingsWith[name]?.(secret) ?? '');

function errorOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  return 'no error';
}

describe('the search for examples', () => {
  it('finds the known examples in the documentation', () => {
    expect(literals).toEqual(
      expect.arrayContaining(['secret', 'the-printed-password', 'your-own-password', 'a sentence is a fine password']),
    );
    const text = `postgresql://a:one@db create role b password 'two' {password: "three"} login='c:four' X_SECRET=five`;
    expect(literalsIn(text)).toEqual(['one', 'two', 'three', 'four', 'five']);
  });
});

describe.each(secretSettings)('%s', (name) => {
  it.each(literals)('rejects the example %j (V13.2.3)', (literal) => {
    expect(errorOf(() => readSecret(name, literal))).toMatch(
      new RegExp(`${name} is "\\(hidden\\)": the secret .*\\. Generate .* \\w+`),
    );
  });

  it.each([
    ['hunter2', 'at least 12 characters'],
    ['first-secret', 'too common'],
    ['change-me-please', 'too common'],
    ['ChangeMe!2026', 'too common'],
    ['<your-client-secret>', 'too common'],
    ['postgres_password', 'too common'],
    ['milepost_app', 'too common'],
    ['xxxxxxxxxxxxxxxx', 'repeated'],
    ['sonyericsson', 'data breach'],
  ])('rejects %j and says what to do', (secret, reason) => {
    const message = errorOf(() => readSecret(name, secret));
    expect(message).toContain(`${name} is "(hidden)": the secret`);
    expect(message).toContain(reason);
    expect(message).toMatch(/openssl rand -hex 24|new client secret at the provider/);
    expect(message).not.toContain(secret);
  });

  it.each(['7d1f0a9c44be83206de5b1aa90f3c7e2', 'Kq/7+vT0@m:Zw3#x?L9%', '948201746538'])('accepts %j', (secret) => {
    expect(() => readSecret(name, secret)).not.toThrow();
  });
});

const errorFor = (url: string) => errorOf(() => readSetting('DATABASE_URL', url));

describe('a database URL', () => {
  it('can omit the password', () => {
    expect(() => readSetting('DATABASE_URL', 'postgresql://app@db/m')).not.toThrow();
    expect(() => readSetting('DATABASE_URL', 'postgresql:///m?host=/run/postgresql')).not.toThrow();
  });

  it('is rejected if its password is the role name, or if its query string contains a weak password', () => {
    expect(errorFor('postgresql://study_seven:study_seven@db/m')).toContain('at least 12');
    expect(errorFor('postgresql://study_eleven:study_eleven@db/m')).toContain('username');
    expect(errorFor('postgresql://app@db/m?password=first-secret')).toContain('too common');
  });

  it('adds the password in its query string to the secrets that logs redact', () => {
    expect(readConfig({ DATABASE_URL: 'postgresql://app@db/m?password=s3cret-of-mine' }).secrets).toContain(
      's3cret-of-mine',
    );
  });
});
