/**
 * The cookie of a session. The browser keeps it to this host and path, sends it over https alone (or to this machine), shows
 * it to no script, and leaves it out of what other sites make it send, but for links. The session ends by itself, so
 * the cookie has no date: it goes with the browser.
 */
import { createHash, randomBytes } from 'node:crypto';
import { sessionCookie } from '@milepost/api';

export const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export const createToken = (): string => randomBytes(32).toString('base64url');

/** A token has 256 random bits: no salt and no slow hash is needed to keep it from being guessed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const settingCookie = (token: string): string => `${sessionCookie}=${token}; ${attributes}`;

export const clearingCookie = `${sessionCookie}=; ${attributes}; Max-Age=0`;

/** Undefined where there is none; what cannot be a token is answered as it is. */
export const readCookie = (header: string | undefined, name: string = sessionCookie): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
