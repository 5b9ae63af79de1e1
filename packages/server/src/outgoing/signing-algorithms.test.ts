/** How the ID token of a provider may be signed: the list is ours, and the provider can only make it shorter. */
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientId, clientSecret } from '../../testing/counterparts/openid-provider.ts';
import { createOpenIdProvider } from './openid-provider.ts';
import { signingAlgorithms } from './provider-memory.ts';

/** Answers by path, as the test says. */
const answers: Record<string, unknown> = {};
const server = createServer(({ url = '' }, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[url]));
});
let issuer: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
const offer = (...algorithms: string[]) => {
  answers['/.well-known/openid-configuration'] = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: algorithms,
  };
};
beforeEach(() => offer(...Object.keys(ways), 'none', 'HS256'));

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
interface Way {
  hash: string | null;
  options?: object;
  key: () => { privateKey: KeyObject; publicKey: KeyObject };
}
const ways: Record<string, Way> = {
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

/** What comes of a token that is right in all but perhaps this. */
async function proveWith(idToken: string, publicKey?: KeyObject) {
  answers['/token'] = { access_token: 'a', token_type: 'bearer', expires_in: 60, id_token: idToken };
  answers['/jwks'] = { keys: publicKey ? [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] : [] };
  return open()
    .prove(new URL(`https://milepost.example.org/sign-in/oidc/callback?code=c&state=${secrets.state}`), secrets)
    .then(
      ({ subject }) => subject,
      ({ kind }: { kind: string }) => kind,
    );
}

async function proveSigned(alg: string, change: Partial<Way> = {}) {
  const { hash, options, key } = { ...(ways[alg] as Way), ...change };
  const { privateKey, publicKey } = key();
  const text = unsigned(alg);
  const signature = sign(hash, Buffer.from(text), { key: privateKey, ...options }).toString('base64url');
  return proveWith(`${text}.${signature}`, publicKey);
}

describe('an ID token', () => {
  it.each(signingAlgorithms)('signed by %s is taken (V11.6.1)', async (alg) => {
    expect(await proveSigned(alg)).toBe('ann');
  });

  it.each(Object.keys(ways).filter((alg) => !signingAlgorithms.includes(alg)))(
    'signed by %s is refused, though the provider offers it (V11.6.1)',
    async (alg) => {
      expect(await proveSigned(alg)).toBe('refused');
    },
  );

  it('signed by what the provider does not offer is refused', async () => {
    offer('RS256');
    expect(await proveSigned('RS256')).toBe('ann');
    expect(await proveSigned('RS384')).toBe('refused');
  });

  it('signed by a key of RSA with 1024 bits is refused (V11.6.1)', async () => {
    expect(await proveSigned('RS256', { key: () => rsa(1024) })).toBe('refused');
  });

  it('signed with the secret of the client, or not at all, is refused, though the provider offers it', async () => {
    const text = unsigned('HS256');
    const mac = createHmac('sha256', clientSecret).update(text).digest('base64url');
    expect(await proveWith(`${text}.${mac}`)).toBe('refused');
    expect(await proveWith(`${unsigned('none')}.`)).toBe('refused');
  });
});

describe('a provider', () => {
  it('that offers nothing that is taken is not gone to', async () => {
    offer('none', 'HS256', 'RS1');
    await expect(open().beginAt(secrets)).rejects.toMatchObject({ kind: 'refused' });
    offer('RS256');
    expect(await open().beginAt(secrets)).toContain(`${issuer}/auth?`);
  });
});
