/** Secrets from files, for every setting that is one. */
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
const complaint = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('it was accepted');
};
/** The owner's address is read by migrations alone. */
const readWith = (name: string, environment: Environment) =>
  name.includes('OWNER') ? readMigrationSettings({ ...base, ...environment }) : readConfig(environment);

describe('the list of secrets', () => {
  it('has every setting whose name says that it is one (V13.3.1)', () => {
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

  it('twice is a fault', () => {
    const environment = { ...from(written(value)), [name]: value };
    expect(complaint(() => readWith(name, environment))).toContain(`${name} and ${name}_FILE are both set: keep one.`);
  });

  it.each([
    ['is not there', () => join(folder, 'nowhere'), 'cannot be read (ENOENT)'],
    ['is a folder', () => folder, 'cannot be read (EISDIR)'],
    ['is empty', () => written(''), 'is empty'],
    ['has an empty line', () => written('\n'), 'is empty'],
    ['has two lines', () => written('s3cret\nanother'), 'of several lines'],
    ['is the secret itself', () => value, 'must be an absolute path'],
  ])('in a file that %s is a fault in a sentence, without the secret', (_what, path, why) => {
    const message = complaint(() => readWith(name, from(path())));
    expect(message).toContain(`${name}_FILE `);
    expect(message).toContain(why);
    expect(message).not.toContain('s3cret');
    expect(message).not.toContain('is not set');
  });

  it('is in no message about it', () => {
    const wrong = value.replace(/^[a-z]+:/, 'nothing:');
    if (wrong === value) return;
    const message = complaint(() => readWith(name, from(written(wrong))));
    expect(message).toContain(`${name} is "(hidden)"`);
    expect(message).not.toContain('s3cret');
  });
});

describe('a setting that is no secret', () => {
  it('is not read from a file', () => {
    expect(complaint(() => readConfig({ ...base, MILEPOST_PORT_FILE: '/x' }))).toContain(
      'MILEPOST_PORT_FILE is not a setting',
    );
  });
});

describe('the configuration', () => {
  it('of a server whose secrets are all in files is that of one that has them in its environment', () => {
    const named = secretSettings.filter((name) => name in settings);
    const inFiles = Object.fromEntries(named.map((name) => [`${name}_FILE`, written(`${values[name]}\n`)]));
    const direct = Object.fromEntries(named.map((name) => [name, values[name]]));
    const more = { MILEPOST_MAIL_FROM: 'a@b.example' };
    expect(readConfig({ ...inFiles, ...more })).toEqual(readConfig({ ...direct, ...more }));
  });
});
