/**
 * Settings that are secrets. Each may stand in a file that `<NAME>_FILE` names, as container platforms hand secrets out: so
 * none need be in an environment, which other programs of the account can read. No message and no log shows one.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { faultOfPassword } from '../passwords.ts';

export class SettingsError extends Error {
  override name = 'SettingsError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

const forRole =
  'make one with `openssl rand -hex 24`, give it to the role by `alter role ... password`, and set it here';

/** Each with what to do about one that is no secret. */
const remedies: Readonly<Record<string, string>> = {
  DATABASE_URL: forRole,
  MILEPOST_OWNER_DATABASE_URL: forRole,
  MILEPOST_ADMIN_PASSWORD: 'leave it out to have one generated, or make one with `openssl rand -hex 24`',
  MILEPOST_SMTP_URL: 'have the mail server give this account one that `openssl rand -hex 24` makes',
  MILEPOST_OIDC_CLIENT_SECRET: 'have the provider make one',
};

export const secretSettings: readonly string[] = Object.keys(remedies);

const suffix = '_FILE';

export const isSecret = (name: string): boolean => secretSettings.includes(name);

export const namesSecretFile = (name: string): boolean =>
  name.endsWith(suffix) && isSecret(name.slice(0, -suffix.length));

/** What a setting was given, in the environment or, for a secret, in its file. Throws a sentence that names the setting. */
export function given(environment: Environment, name: string): string | undefined {
  const fileSetting = name + suffix;
  const path = isSecret(name) ? environment[fileSetting] : undefined;
  if (path === undefined) return environment[name];
  if (environment[name] !== undefined) throw new SettingsError(`${name} and ${fileSetting} are both set: keep one.`);
  return readSecret(fileSetting, path);
}

/** The path is not told: who mistakes one setting for the other has put the secret there. */
function readSecret(setting: string, path: string): string {
  if (!isAbsolute(path)) throw new SettingsError(`${setting} must be an absolute path such as /run/secrets/milepost.`);
  const secret = readText(setting, path).replace(/\r?\n$/, '');
  if (secret === '') throw new SettingsError(`${setting} names a file that is empty: write the secret into it.`);
  if (/[\r\n\0]/.test(secret)) throw new SettingsError(`${setting} names a file of several lines: one line is needed.`);
  return secret;
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `${setting} names a file that cannot be read (${code}): see that it is there and readable.`,
    );
  }
}

/**
 * The secrets themselves, for the log to leave out; of an address that is its password, as written and as meant. Only of those
 * that a process has a use for: others need not even be readable to it.
 */
export const secretsGiven = (environment: Environment, names: readonly string[]): string[] =>
  names.filter(isSecret).flatMap((name) => secretsIn(name, given(environment, name) ?? ''));

function secretsIn(name: string, value: string): string[] {
  const url = name.endsWith('_URL') ? URL.parse(value) : null;
  // PostgreSQL takes it in the query, too.
  const all = url ? [url.password, decoded(url.password), ...url.searchParams.getAll('password')] : [value];
  return all.filter((secret) => secret !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What our own documents show and is no common word: who copies it has what everybody can read. */
const examples = new Set(['a sentence is a fine password']);

/**
 * Throws a sentence about a secret that is none: an example, a placeholder, or easily guessed. An address without a password
 * is fine: PostgreSQL may know its callers otherwise.
 */
export function refuseGuessable(name: string, value: string): void {
  const user = URL.parse(value)?.username ?? '';
  for (const secret of isSecret(name) ? secretsIn(name, value) : []) {
    const fault = examples.has(secret) ? 'is an example of the documentation.' : faultOfPassword(secret, [user]);
    if (fault) throw new Error(`its secret ${fault.replace(/(: choose another)?\.$/, '')}: ${remedies[name]}`);
  }
}
