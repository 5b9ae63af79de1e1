/** Passwords: argon2id, at most two hashes at once (each takes a core and 46 MiB), common ones refused. */
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { isBreached } from './breached-passwords.ts';
import { takeTurns } from './take-turns.ts';

/** The library's number for it: its own name is a constant of the type checker only. */
const argon2id = 2;
const cost = { algorithm: argon2id, memoryCost: 47_104, timeCost: 1, parallelism: 1 };
const turns = {
  atOnce: 2,
  waiting: 200,
  refusal: 'Too many people are signing in at this moment. Try again shortly.',
};
export const shortestPassword = 12;

export interface Passwords {
  hash: (password: string) => Promise<string>;
  /** With undefined it takes as long and answers false, so that unknown accounts cannot be told by the time taken. */
  verify: (storedHash: string | undefined, password: string) => Promise<boolean>;
  /** 32 bytes of a text that holds a password, always the same with the same salt: as hard to guess from as `hash`. */
  digest: (text: string, salt: Buffer) => Promise<Buffer>;
  /** Whether a stored hash was made with less effort than today's. */
  isWeak: (storedHash: string) => boolean;
}

export function createPasswords(): Passwords {
  const inTurn = takeTurns(turns);
  const hashInTurn = (password: string) => inTurn(() => hash(password, cost));
  let nobody: string | undefined;
  return {
    hash: hashInTurn,
    async verify(storedHash, password) {
      nobody ??= await hashInTurn(crypto.randomUUID());
      const against = storedHash ?? nobody;
      return (await inTurn(() => verify(against, password))) && storedHash !== undefined;
    },
    digest: (text, salt) => inTurn(() => hashRaw(text, { ...cost, salt })),
    isWeak(storedHash) {
      const [, memory = 0, time = 0] = /\$m=(\d+),t=(\d+),/.exec(storedHash)?.map(Number) ?? [];
      return !storedHash.startsWith('$argon2id$') || memory < cost.memoryCost || time < cost.timeCost;
    },
  };
}

/** Why a password is refused, or undefined. `personal` is what others would try first: username and e-mail. */
export function faultOfPassword(password: string, personal: readonly string[]): string | undefined {
  if (Array.from(password).length < shortestPassword) return `must have at least ${shortestPassword} characters.`;
  const folded = password.toLowerCase();
  if (new Set(folded).size <= 2) return 'is one or two characters repeated: choose another.';
  if (isCommon(folded)) return 'is among the passwords that are tried first: choose another.';
  if (isBreached(folded)) return 'was stolen elsewhere and is tried everywhere: choose another.';
  if (personal.some((word) => word.toLowerCase() === folded)) return 'must not be the username or e-mail.';
  return undefined;
}

const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
];
/** What people here would think of, too, and what stands in examples until somebody chooses. docs/explanation/security.md lists them. */
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
/** What stands between such words, and makes them no better. */
const fillers =
  'a an the this my your our own me you it is in of for to here please not so very first second new some any'
    .concat(' strong long random real printed generated chosen app api oidc smtp sql mail key value')
    .split(' ');

/** A common word with others, fillers, figures and signs around it, or a run of neighbouring keys. */
function isCommon(folded: string): boolean {
  const backwards = Array.from(folded).toReversed().join('');
  if (runs.some((run) => run.includes(folded) || run.includes(backwards))) return true;
  return commonWords.some((word) => folded.includes(word)) && isMadeOf(folded, [...commonWords, ...fillers]);
}

/** Whether words follow each other from the beginning to the end, with figures and signs anywhere. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const reached = new Set([0]);
  // It grows while it is walked through. No place is visited twice, so the time is linear, however many ways there are.
  for (const at of reached) {
    if (at < text.length && !/\p{L}/u.test(text.charAt(at))) reached.add(at + 1);
    for (const word of words) if (text.startsWith(word, at)) reached.add(at + word.length);
  }
  return reached.has(text.length);
}
