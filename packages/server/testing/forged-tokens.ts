/** Forged ID tokens, and ID tokens that were issued for another user or client. */
import { decodeJwt, importJWK, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { clientSecret, newSigningKey } from './counterparts/openid-provider.ts';

type Key = ReturnType<typeof newSigningKey>;

const signed = async (claims: JWTPayload, key: Key, kid = key.kid) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: kid ?? '' }).sign(await importJWK(key, 'RS256'));

/** Changes claims and signs the token again with the provider's own key. */
export const signedWithClaims = (claims: JWTPayload) => (token: string, key: Key) =>
  signed({ ...decodeJwt(token), ...claims }, key);

export const signedByAnotherKey = (token: string) => signed(decodeJwt(token), newSigningKey());

export const signedByAnotherKeyWithSameId = (token: string, { kid }: Key) =>
  signed(decodeJwt(token), newSigningKey(), kid);

export const unsigned = (token: string) => new UnsecuredJWT(decodeJwt(token)).encode();

/** Signed with HS256 and the client secret, in place of the provider's private key. */
export const signedWithClientSecret = (token: string) =>
  new SignJWT(decodeJwt(token))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(clientSecret.padEnd(32, '0')));

export function withChangedClaims(token: string): string {
  const [header, , signature] = token.split('.');
  const payload = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'admin' })).toString('base64url');
  return [header, payload, signature].join('.');
}
