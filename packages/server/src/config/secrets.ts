/**
 * Settings that are secrets. Each can be read from the file named by `<NAME>_FILE`, as container platforms provide secrets,
 * because other programs of the same account can read the environment. No message or log contains a secret.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { faultOfPassword } from '../passwords.ts';

export class SettingsError extends Error {
  override name = 'SettingsError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

const forRole =
  'Generate one with `openssl rand -hex 24`, set it with `alter role ... password`, and update this setting';

/** All secret settings, with what to do about a weak secret. */
const remedies: Readonly<Record<string, string>> = {
  DATABASE_URL: forRole,
  MILEPOST_OWNER_DATABASE_URL: forRole,
  MILEPOST_ADMIN_PASSWORD: 'Generate one with `openssl rand -hex 24`, or remove the setting to have one generated',
  MILEPOST_SMTP_URL: 'Generate one with `openssl rand -hex 24`, set it on the mail server, and update this setting',
  MILEPOST_OIDC_CLIENT_SECRET: 'Generate a new client secret at the provider, and update this setting',
};

export const secretSettings: readonly string[] = Object.keys(remedies);

const suffix = '_FILE';

export const isSecret = (name: string): boolean => secretSettings.includes(name);

export const namesSecretFile = (name: string): boolean =>
  name.endsWith(suffix) && isSecret(name.slice(0, -suffix.length));

/** The value of a setting from the environment or, for a secret, from its file. Throws an error that names the setting. */
export function given(environment: Environment, name: string): string | undefined {
  const fileSetting = name + suffix;
  const path = isSecret(name) ? environment[fileSetting] : undefined;
  if (path === undefined) return environment[name];
  if (environment[name] !== undefined) throw new SettingsError(`${name} and ${fileSetting} are both set. Remove one.`);
  return readSecret(fileSetting, path);
}

/** The errors do not contain the path, because it is the secret itself if someone confuses the two settings. */
function readSecret(setting: string, path: string): string {
  if (!isAbsolute(path)) throw new SettingsError(`${setting} must be an absolute path such as /run/secrets/milepost.`);
  const secret = readText(setting, path).replace(/\r?\n$/, '');
  if (secret === '') throw new SettingsError(`${setting} names an empty file. Write the secret into it.`);
  if (/[\r\n\0]/.test(secret))
    throw new SettingsError(`${setting} names a file with several lines. The file must have one line.`);
  return secret;
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `${setting} names a file that cannot be read (${code}). Check that it exists and is readable.`,
    );
  }
}

/**
 * The secrets to redact from logs. For a URL that is its password, encoded and decoded. `names` are the settings that the
 * process uses, because it may have no access to the files of others.
 */
export const secretsGiven = (environment: Environment, names: readonly string[]): string[] =>
  names.filter(isSecret).flatMap((name) => secretsIn(name, given(environment, name) ?? ''));

function secretsIn(name: string, value: string): string[] {
  const url = name.endsWith('_URL') ? URL.parse(value) : null;
  // PostgreSQL also accepts the password in the query string.
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

/** Passwords in our documentation that are not common words. */
const examples = new Set(['a sentence is a fine password']);

/**
 * Throws if a secret is an example, a placeholder or easy to guess. A URL without a password is accepted, because PostgreSQL
 * can authenticate the role in another way.
 */
export function rejectWeakSecret(name: string, value: string): void {
  const user = URL.parse(value)?.username ?? '';
  for (const secret of isSecret(name) ? secretsIn(name, value) : []) {
    const fault = examples.has(secret) ? 'is an example from the documentation.' : faultOfPassword(secret, [user]);
    if (fault) throw new Error(`the secret ${fault.replace(/(\. Choose another)?\.$/, '')}. ${remedies[name]}`);
  }
}
