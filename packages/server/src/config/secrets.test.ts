/** Reading secrets from files, for every secret setting. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig, readMigrationSettings, settings, SettingsError, type Environment } from '../config.ts';
import { given, secretSettings, secretsGiven } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'milepost-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const written = (text: string): string => {
  const path = join(folder, String(++files));
  writeFileSync(path, text);
  return path;
};

const values: Record<string, string> = {
  DATABASE_URL: 'postgresql://app:s3cret-of-mine@db/m',
  MILEPOST_OWNER_DATABASE_URL: 'postgresql://owner:s3cret-of-mine@db/m',
  MILEPOST_ADMIN_PASSWORD: ' s3cret of mine ',
  MILEPOST_SMTP_URL: 'smtps://me:s3cret-of-mine@mail',
  MILEPOST_OIDC_CLIENT_SECRET: 's3cret-of-mine',
};
const base = { DATABASE_URL: values['DATABASE_URL'], MILEPOST_MAIL_FROM: 'a@b.example' };
const without = (name: string): Environment => Object.fromEntries(Object.entries(base).filter(([key]) => key !== name));
const errorOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('the settings were accepted');
};
/** Only migrations read the URL of the owner role. */
const readWith = (name: string, environment: Environment) =>
  name.includes('OWNER') ? readMigrationSettings({ ...base, ...environment }) : readConfig(environment);

describe('the list of secret settings', () => {
  it('contains every setting that is named like a secret (V13.3.1)', () => {
    const named = Object.keys(settings).filter((name) => /PASSWORD|SECRET|TOKEN|DATABASE_URL|SMTP|_KEY$/.test(name));
    expect(named.filter((name) => !secretSettings.includes(name))).toEqual([]);
    expect(secretSettings.toSorted()).toEqual(Object.keys(values).toSorted());
  });
});

describe.each(secretSettings)('%s', (name) => {
  const value = values[name] ?? '';
  const from = (path: string) => ({ ...without(name), [`${name}_FILE`]: path });

  it.each(['', '\n', '\r\n'])('is read from a file that ends with %j (V13.3.1)', (end) => {
    const environment = from(written(value + end));
    expect(given(environment, name)).toBe(value);
    expect(() => readWith(name, environment)).not.toThrow();
    expect(secretsGiven(environment, [name]).join()).toContain('s3cret');
  });

  it('is rejected if it is set both directly and as a file', () => {
    const environment = { ...from(written(value)), [name]: value };
    expect(errorOf(() => readWith(name, environment))).toContain(`${name} and ${name}_FILE are both set. Remove one.`);
  });

  it.each([
    ['file does not exist', () => join(folder, 'nowhere'), 'cannot be read (ENOENT)'],
    ['file is a folder', () => folder, 'cannot be read (EISDIR)'],
    ['file is empty', () => written(''), 'an empty file'],
    ['file contains only an empty line', () => written('\n'), 'an empty file'],
    ['file has two lines', () => written('s3cret\nanother'), 'several lines'],
    ['path is the secret itself', () => value, 'must be an absolute path'],
  ])('is rejected if the %s, and the error hides the secret', (_case, path, reason) => {
    const message = errorOf(() => readWith(name, from(path())));
    expect(message).toContain(`${name}_FILE `);
    expect(message).toContain(reason);
    expect(message).not.toContain('s3cret');
    expect(message).not.toContain('is required');
  });

  it('is hidden in error messages', () => {
    const wrong = value.replace(/^[a-z]+:/, 'nothing:');
    if (wrong === value) return;
    const message = errorOf(() => readWith(name, from(written(wrong))));
    expect(message).toContain(`${name} is "(hidden)"`);
    expect(message).not.toContain('s3cret');
  });
});

describe('a setting that is not a secret', () => {
  it('cannot be read from a file', () => {
    expect(errorOf(() => readConfig({ ...base, MILEPOST_PORT_FILE: '/x' }))).toContain(
      'MILEPOST_PORT_FILE is not a setting',
    );
  });
});

describe('the configuration', () => {
  it('is the same with secrets from files as with secrets from the environment', () => {
    const named = secretSettings.filter((name) => name in settings);
    const inFiles = Object.fromEntries(named.map((name) => [`${name}_FILE`, written(`${values[name]}\n`)]));
    const direct = Object.fromEntries(named.map((name) => [name, values[name]]));
    const more = { MILEPOST_MAIL_FROM: 'a@b.example' };
    expect(readConfig({ ...inFiles, ...more })).toEqual(readConfig({ ...direct, ...more }));
  });
});
