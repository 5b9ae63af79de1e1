/** Accepted signatures of ID tokens: our list, which the provider's metadata can only shorten. */
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientId, clientSecret } from '../../testing/counterparts/openid-provider.ts';
import { createOpenIdProvider } from './openid-provider.ts';
import { signingAlgorithms } from './provider-cache.ts';

/** Responses by path, set by each test. */
const responses: Record<string, unknown> = {};
const server = createServer(({ url = '' }, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(responses[url]));
});
let issuer: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
const offer = (...offered: string[]) => {
  responses['/.well-known/openid-configuration'] = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: offered,
  };
};
beforeEach(() => offer(...Object.keys(algorithms), 'none', 'HS256'));

const secrets = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) };
const open = () =>
  createOpenIdProvider({
    provider: { issuer, clientId, clientSecret, name: '', scopes: 'openid', roleClaim: '', roles: new Map() },
    redirectUri: 'https://milepost.example.org/sign-in/oidc/callback',
    allow: [],
  });

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const pss = (saltLength: number) => ({ padding: 6, saltLength });
const plainPair = { dsaEncoding: 'ieee-p1363' } as const;
interface Algorithm {
  hash: string | null;
  options?: object;
  key: () => { privateKey: KeyObject; publicKey: KeyObject };
}
const algorithms: Record<string, Algorithm> = {
  ES256: { hash: 'sha256', options: plainPair, key: () => curve('P-256') },
  ES384: { hash: 'sha384', options: plainPair, key: () => curve('P-384') },
  ES512: { hash: 'sha512', options: plainPair, key: () => curve('P-521') },
  Ed25519: { hash: null, key: () => generateKeyPairSync('ed25519') },
  EdDSA: { hash: null, key: () => generateKeyPairSync('ed25519') },
  PS256: { hash: 'sha256', options: pss(32), key: () => rsa(2048) },
  PS384: { hash: 'sha384', options: pss(48), key: () => rsa(2048) },
  PS512: { hash: 'sha512', options: pss(64), key: () => rsa(2048) },
  RS256: { hash: 'sha256', key: () => rsa(2048) },
  RS384: { hash: 'sha384', key: () => rsa(2048) },
  RS512: { hash: 'sha512', key: () => rsa(3072) },
  RS1: { hash: 'sha1', key: () => rsa(2048) },
  ES256K: { hash: 'sha256', options: plainPair, key: () => curve('secp256k1') },
};

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (alg: string) => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub: 'ann', aud: clientId, nonce: secrets.nonce, iat: now, exp: now + 3600 };
  return `${encoded({ alg, kid: 'k' })}.${encoded(claims)}`;
};

/** The result for an ID token whose only possible error is its signature. */
async function verifyToken(idToken: string, publicKey?: KeyObject) {
  responses['/token'] = { access_token: 'a', token_type: 'bearer', expires_in: 60, id_token: idToken };
  responses['/jwks'] = { keys: publicKey ? [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] : [] };
  return open()
    .verifyCallback(
      new URL(`https://milepost.example.org/sign-in/oidc/callback?code=c&state=${secrets.state}`),
      secrets,
    )
    .then(
      ({ subject }) => subject,
      ({ kind }: { kind: string }) => kind,
    );
}

async function verifySigned(alg: string, change: Partial<Algorithm> = {}) {
  const { hash, options, key } = { ...(algorithms[alg] as Algorithm), ...change };
  const { privateKey, publicKey } = key();
  const text = unsigned(alg);
  const signature = sign(hash, Buffer.from(text), { key: privateKey, ...options }).toString('base64url');
  return verifyToken(`${text}.${signature}`, publicKey);
}

describe('an ID token', () => {
  it.each(signingAlgorithms)('signed with %s is accepted (V11.6.1)', async (alg) => {
    expect(await verifySigned(alg)).toBe('ann');
  });

  it.each(Object.keys(algorithms).filter((alg) => !signingAlgorithms.includes(alg)))(
    'signed with %s is rejected, even if the provider offers it (V11.6.1)',
    async (alg) => {
      expect(await verifySigned(alg)).toBe('refused');
    },
  );

  it('signed with an algorithm that the provider does not offer is rejected', async () => {
    offer('RS256');
    expect(await verifySigned('RS256')).toBe('ann');
    expect(await verifySigned('RS384')).toBe('refused');
  });

  it('signed with a 1024-bit RSA key is rejected (V11.6.1)', async () => {
    expect(await verifySigned('RS256', { key: () => rsa(1024) })).toBe('refused');
  });

  it('signed with the client secret or unsigned is rejected, even if the provider offers that algorithm', async () => {
    const text = unsigned('HS256');
    const mac = createHmac('sha256', clientSecret).update(text).digest('base64url');
    expect(await verifyToken(`${text}.${mac}`)).toBe('refused');
    expect(await verifyToken(`${unsigned('none')}.`)).toBe('refused');
  });
});

describe('a provider', () => {
  it('that offers no accepted algorithm is not used', async () => {
    offer('none', 'HS256', 'RS1');
    await expect(open().authorizationUrl(secrets)).rejects.toMatchObject({ kind: 'refused' });
    offer('RS256');
    expect(await open().authorizationUrl(secrets)).toContain(`${issuer}/auth?`);
  });
});
