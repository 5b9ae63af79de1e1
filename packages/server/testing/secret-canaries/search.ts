/** Searches texts for secrets in every encoding. */
import { expect } from 'vitest';

export const canaries = {
  admin: 'canary-admin-7Q2x/pass',
  user: 'canary-user-9Lk3 pässword',
  changed: 'canary-changed-4Tz8+pass',
  reset: 'canary-reset-2Hd9 pass',
  wrong: 'canary-wrong-1Vb6-pass',
  unsaved: 'canary-unsaved-3Nn5-pass',
  smtp: 'canary-smtp-5Mw0-pass',
  database: 'canary-database-8Rc1-pass',
  madeUpToken: 'mp_canaryMadeUpTokenOfAUser0123456789abcdefghijk',
};
export const secrets = new Map<string, string>(Object.entries(canaries));

/** Adds a secret to the search. */
export function addSecret(name: string, secret: string): string {
  expect({ name, isLong: secret.length > 10 }).toEqual({ name, isLong: true });
  secrets.set(name, secret);
  return secret;
}

export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...encoded];
}

export const leakedSecrets = (text: string): string[] =>
  [...secrets].filter(([, secret]) => formsOf(secret).some((form) => text.includes(form))).map(([name]) => name);
