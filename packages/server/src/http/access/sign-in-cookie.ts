/**
 * The cookie of a single sign-on in progress: 256 random bits, from which all secrets shared by this browser and this server are
 * derived. It has the attributes of the session cookie and expires after ten minutes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { attributes, readCookie } from './session-cookie.ts';

const name = '__Host-milepost-sign-in';

export const settingSignInCookie = (secret: string): string => `${name}=${secret}; ${attributes}; Max-Age=600`;

export const clearingSignInCookie = `${name}=; ${attributes}; Max-Age=0`;

export const readSignInCookie = (header: string | undefined): string | undefined => readCookie(header, name);

/** Three values derived from one secret. None of them reveals the others. */
export const secretsOf = (secret: string) => ({
  state: derive(secret, 'state'),
  nonce: derive(secret, 'nonce'),
  verifier: derive(secret, 'verifier'),
});

const derive = (secret: string, purpose: string) => createHmac('sha256', secret).update(purpose).digest('base64url');

export function isState(given: string | null, expected: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
