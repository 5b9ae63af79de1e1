/**
 * Settings that are secrets. Each may stand in a file that `<NAME>_FILE` names, as container platforms hand secrets out: so
 * none need be in an environment, which other programs of the account can read. No message and no log shows one.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';

export class SettingsError extends Error {
  override name = 'SettingsError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const secretSettings: readonly string[] = [
  'DATABASE_URL',
  'MILEPOST_OWNER_DATABASE_URL',
  'MILEPOST_ADMIN_PASSWORD',
  'MILEPOST_SMTP_URL',
  'MILEPOST_OIDC_CLIENT_SECRET',
];

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
  names.filter(isSecret).flatMap((name) => partsOf(given(environment, name) ?? ''));

function partsOf(value: string): string[] {
  const password = URL.parse(value)?.password ?? '';
  return password === '' ? [value] : [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
