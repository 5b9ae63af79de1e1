/** Hashes passwords with argon2id, at most two at once (each takes a core and 46 MiB), and rejects common ones. */
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { isBreached } from './breached-passwords.ts';
import { limitConcurrency } from './limit-concurrency.ts';

/** The library's number for argon2id: its constant exists for the type checker only. */
const argon2id = 2;
const cost = { algorithm: argon2id, memoryCost: 47_104, timeCost: 1, parallelism: 1 };
const limit = {
  atOnce: 2,
  waiting: 200,
  refusal: 'Too many sign-ins at the moment. Try again in 5 seconds.',
};
export const shortestPassword = 12;
const longestPassword = 1024;

export interface Passwords {
  hash: (password: string) => Promise<string>;
  /** Without a stored hash it takes as long and returns false, so that the time does not reveal unknown accounts. */
  verify: (storedHash: string | undefined, password: string) => Promise<boolean>;
  /** 32 bytes derived from a text that contains a password; the same for the same salt, and as hard to guess from as `hash`. */
  digest: (text: string, salt: Buffer) => Promise<Buffer>;
  /** Whether a stored hash is weaker than the current settings. */
  isWeak: (storedHash: string) => boolean;
}

export function createPasswords(): Passwords {
  const limited = limitConcurrency(limit);
  const hashLimited = (password: string) => limited(() => hash(password, cost));
  let placeholder: string | undefined;
  return {
    hash: hashLimited,
    async verify(storedHash, password) {
      placeholder ??= await hashLimited(crypto.randomUUID());
      const against = storedHash ?? placeholder;
      return (await limited(() => verify(against, password))) && storedHash !== undefined;
    },
    digest: (text, salt) => limited(() => hashRaw(text, { ...cost, salt })),
    isWeak(storedHash) {
      const [, memory = 0, time = 0] = /\$m=(\d+),t=(\d+),/.exec(storedHash)?.map(Number) ?? [];
      return !storedHash.startsWith('$argon2id$') || memory < cost.memoryCost || time < cost.timeCost;
    },
  };
}

/** Why a password is rejected, or undefined. `personal` are the username and e-mail, which an attacker would try first. */
export function faultOfPassword(password: string, personal: readonly string[]): string | undefined {
  const { length } = Array.from(password);
  if (length < shortestPassword) return `must have at least ${shortestPassword} characters.`;
  if (length > longestPassword) return `must have at most ${longestPassword.toLocaleString('en')} characters.`;
  const folded = password.toLowerCase();
  if (new Set(folded).size <= 2) return 'consists of one or two repeated characters. Choose another.';
  if (isCommon(folded)) return 'is too common. Choose another.';
  if (isBreached(folded)) return 'appeared in a data breach. Choose another.';
  if (personal.some((word) => word.toLowerCase() === folded)) return 'must not be the username or e-mail address.';
  return undefined;
}

const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
];
/** Common words, words of this field and placeholders from examples. docs/explanation/security.md lists them. */
export const commonWords = [
  'password',
  'passw0rd',
  'p@ssword',
  'p@ssw0rd',
  'passwort',
  'passwd',
  'passphrase',
  'wachtwoord',
  'motdepasse',
  'contrasena',
  'welcome',
  'willkommen',
  'welkom',
  'letmein',
  'iloveyou',
  'administrator',
  'admin',
  'root',
  'owner',
  'user',
  'change',
  'changeme',
  'replace',
  'default',
  'example',
  'placeholder',
  'secret',
  'token',
  'hospital',
  'milepost',
  'postgres',
  'database',
  'client',
  'server',
  'football',
  'baseball',
  'princess',
  'sunshine',
  'superman',
  'trustno',
  'qwerty',
  'monkey',
  'dragon',
  'master',
  'login',
  'abc',
  'test',
];
/** Words that add nothing between common words. */
const fillers =
  'a an the this my your our own me you it is in of for to here please not so very first second new some any'
    .concat(' strong long random real printed generated chosen app api oidc smtp sql mail key value')
    .split(' ');

/** Whether a password combines common words with fillers, digits and symbols, or is a run of neighbouring keys. */
function isCommon(folded: string): boolean {
  const backwards = Array.from(folded).toReversed().join('');
  if (runs.some((run) => run.includes(folded) || run.includes(backwards))) return true;
  return commonWords.some((word) => folded.includes(word)) && isMadeOf(folded, [...commonWords, ...fillers]);
}

/** Whether the text consists of these words, with digits and symbols anywhere. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const reached = new Set([0]);
  // The set grows during the loop. Each position is visited once, so the time is linear for any number of combinations.
  for (const at of reached) {
    if (at < text.length && !/\p{L}/u.test(text.charAt(at))) reached.add(at + 1);
    for (const word of words) if (text.startsWith(word, at)) reached.add(at + word.length);
  }
  return reached.has(text.length);
}
