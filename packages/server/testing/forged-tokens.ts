/** ID tokens that a provider did not make, or made for somebody else. */
import { decodeJwt, importJWK, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { clientSecret, newSigningKey } from './counterparts/openid-provider.ts';

type Key = ReturnType<typeof newSigningKey>;

const signed = async (claims: JWTPayload, key: Key, kid = key.kid) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: kid ?? '' }).sign(await importJWK(key, 'RS256'));

/** Signed anew by the provider's own key, with which nobody else can sign. */
export const signedAnew = (claims: JWTPayload) => (token: string, key: Key) =>
  signed({ ...decodeJwt(token), ...claims }, key);

export const bySomebodyElse = (token: string) => signed(decodeJwt(token), newSigningKey());

export const underTheRightName = (token: string, { kid }: Key) => signed(decodeJwt(token), newSigningKey(), kid);

export const unsigned = (token: string) => new UnsecuredJWT(decodeJwt(token)).encode();

/** The public key, or the client's secret, taken for one that both sides share. */
export const symmetric = (token: string) =>
  new SignJWT(decodeJwt(token))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(clientSecret.padEnd(32, '0')));

export function altered(token: string): string {
  const [header, , signature] = token.split('.');
  const payload = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'admin' })).toString('base64url');
  return [header, payload, signature].join('.');
}
