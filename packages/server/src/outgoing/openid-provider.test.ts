/** Checks a provider's metadata against the settings before any other request is sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  startOpenIdProvider,
  clientId,
  clientSecret,
  type OpenIdCounterpart,
} from '../../testing/counterparts/openid-provider.ts';
import { readAllowedTarget } from '../config/targets.ts';
import { createOpenIdProvider, type OpenIdProvider } from './openid-provider.ts';

/** Serves the metadata of the test, and records the requests. */
const liar = { metadata: {} as Record<string, unknown>, status: 200, location: '', requests: [] as string[] };
const answer = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
  liar.requests.push(url);
  response.writeHead(liar.status, {
    'content-type': 'application/json',
    ...(liar.location && { location: liar.location }),
  });
  response.end(JSON.stringify(liar.metadata));
};
const server = createServer(answer);
const bystander = createServer(answer);
const addressOf = (one: typeof server) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;

let honest: OpenIdCounterpart;
let issuer: string;
let elsewhere: string;
beforeAll(async () => {
  for (const one of [server, bystander]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  [issuer, elsewhere] = [addressOf(server), addressOf(bystander)];
  honest = await startOpenIdProvider();
});
afterAll(async () => {
  for (const one of [server, bystander]) one.close();
  await honest.stop();
});
beforeEach(() => {
  const endpoints = {
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  };
  Object.assign(liar, { metadata: { issuer, ...endpoints }, status: 200, location: '', requests: [] });
});

const secrets = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) };
const open = (of = issuer, allow: string[] = []): OpenIdProvider =>
  createOpenIdProvider({
    provider: { issuer: of, clientId, clientSecret, name: '', scopes: 'openid', roleClaim: '', roles: new Map() },
    redirectUri: 'https://milepost.example.org/sign-in/oidc/callback',
    allow: allow.map(readAllowedTarget),
  });
const metadataPath = '/.well-known/openid-configuration';
const callbackUrl = () => new URL(`https://milepost.example.org/sign-in/oidc/callback?code=c&state=${secrets.state}`);

describe('the metadata of a provider', () => {
  it('is accepted if it is valid', async () => {
    expect(await open().authorizationUrl(secrets)).toMatch(`${issuer}/auth?`);
    expect(liar.requests).toEqual([metadataPath]);
  });

  it.each([
    ['with another issuer', { issuer: 'https://id.evil.example' }],
    ['with a trailing slash in its issuer', () => ({ issuer: `${issuer}/` })],
    ['without a token endpoint', { token_endpoint: undefined }],
    ['without a key URL', { jwks_uri: undefined }],
    ['with a sign-in page that is not https', { authorization_endpoint: 'http://id.example.org/auth' }],
    ['with a script as its sign-in page', { authorization_endpoint: 'javascript:alert(1)' }],
    ['with a token endpoint that is not https', { token_endpoint: 'http://id.example.org/token' }],
    ['with a file as its key URL', { jwks_uri: 'file:///etc/passwd' }],
  ])('is rejected %s (V10.5.3)', async (_what, change) => {
    Object.assign(liar.metadata, typeof change === 'function' ? change() : change);
    await expect(open().authorizationUrl(secrets)).rejects.toMatchObject({ kind: 'refused' });
    expect(liar.requests).toEqual([metadataPath]);
  });

  it('is rejected if it redirects to another URL', async () => {
    Object.assign(liar, { status: 302, location: `${elsewhere}${metadataPath}` });
    await expect(open().authorizationUrl(secrets)).rejects.toMatchObject({ kind: 'refused' });
    expect(liar.requests).toEqual([metadataPath]);
  });

  it('is rejected if it is 10 MB long', async () => {
    liar.metadata['more'] = 'x'.repeat(10_000_000);
    await expect(open().authorizationUrl(secrets)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('a token endpoint on another host', () => {
  it('is used only if the operator allows that host', async () => {
    liar.metadata['token_endpoint'] = `${elsewhere}/token`;
    await expect(open().verifyCallback(callbackUrl(), secrets)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(liar.requests).toEqual([metadataPath]);
    await expect(open(issuer, [elsewhere]).verifyCallback(callbackUrl(), secrets)).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(liar.requests).toEqual([metadataPath, metadataPath, '/token']);
  });
});

it('a failing provider receives one request, however many users sign in', async () => {
  liar.status = 503;
  const provider = open();
  for (let count = 0; count < 3; count++) {
    const signIns = Array.from({ length: 10 }, () =>
      provider.authorizationUrl(secrets).catch((fault: unknown) => fault),
    );
    for (const fault of await Promise.all(signIns)) expect(fault).toMatchObject({ kind: 'unavailable' });
  }
  expect(liar.requests).toEqual([metadataPath]);
});

it('a provider receives one request for its metadata, however many users sign in', async () => {
  const provider = open(honest.issuer);
  await Promise.all(Array.from({ length: 20 }, () => provider.authorizationUrl(secrets)));
  await provider.authorizationUrl(secrets);
  expect(honest.world.requestedPaths).toEqual([metadataPath]);
});
