/**
 * The cookie of a sign-in that is on its way through a provider: 256 random bits, from which all that this browser and this
 * server alone know is derived. Kept and sent as the cookie of a session is, and for ten minutes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { attributes, readCookie } from './session-cookie.ts';

const name = '__Host-milepost-sign-in';

export const settingSignInCookie = (secret: string): string => `${name}=${secret}; ${attributes}; Max-Age=600`;

export const clearingSignInCookie = `${name}=; ${attributes}; Max-Age=0`;

export const readSignInCookie = (header: string | undefined): string | undefined => readCookie(header, name);

/** Three values of one secret: who knows one of them knows nothing of the others. */
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
