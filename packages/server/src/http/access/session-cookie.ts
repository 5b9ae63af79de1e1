/**
 * The session cookie. Browsers send it to this host only, over https only (or to the local machine), hide it from scripts, and
 * omit it from requests that other sites start, except links. The session expires on the server, so the cookie has no expiry
 * date and ends with the browser.
 */
import { createHash, randomBytes } from 'node:crypto';
import { sessionCookie } from '@milepost/api';

export const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export const createToken = (): string => randomBytes(32).toString('base64url');

/** A token has 256 random bits, so it needs neither a salt nor a slow hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const settingCookie = (token: string): string => `${sessionCookie}=${token}; ${attributes}`;

export const clearingCookie = `${sessionCookie}=; ${attributes}; Max-Age=0`;

/** Undefined if there is none. The value is not validated. */
export const readCookie = (header: string | undefined, name: string = sessionCookie): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
