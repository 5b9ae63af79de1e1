/** What a provider says of itself is held against the settings before anything is sent anywhere. */
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

/** Describes itself as the test says, and writes down what is asked. */
const liar = { description: {} as Record<string, unknown>, status: 200, location: '', asked: [] as string[] };
const answer = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
  liar.asked.push(url);
  response.writeHead(liar.status, {
    'content-type': 'application/json',
    ...(liar.location && { location: liar.location }),
  });
  response.end(JSON.stringify(liar.description));
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
  Object.assign(liar, { description: { issuer, ...endpoints }, status: 200, location: '', asked: [] });
});

const secrets = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) };
const open = (of = issuer, allow: string[] = []): OpenIdProvider =>
  createOpenIdProvider({
    provider: { issuer: of, clientId, clientSecret, name: '', scopes: 'openid', roleClaim: '', roles: new Map() },
    redirectUri: 'https://milepost.example.org/sign-in/oidc/callback',
    allow: allow.map(readAllowedTarget),
  });
const described = '/.well-known/openid-configuration';
const cameBack = () => new URL(`https://milepost.example.org/sign-in/oidc/callback?code=c&state=${secrets.state}`);

describe('the description of a provider', () => {
  it('is taken as it is where all of it is in order', async () => {
    expect(await open().beginAt(secrets)).toMatch(`${issuer}/auth?`);
    expect(liar.asked).toEqual([described]);
  });

  it.each([
    ['that names another issuer', { issuer: 'https://id.evil.example' }],
    ['that names its issuer with a slash more', () => ({ issuer: `${issuer}/` })],
    ['without a place for tokens', { token_endpoint: undefined }],
    ['without keys', { jwks_uri: undefined }],
    ['whose page is not https', { authorization_endpoint: 'http://id.example.org/auth' }],
    ['whose page is a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['whose place for tokens is not https', { token_endpoint: 'http://id.example.org/token' }],
    ['whose keys are a file', { jwks_uri: 'file:///etc/passwd' }],
  ])('%s is refused (V10.5.3)', async (_what, change) => {
    Object.assign(liar.description, typeof change === 'function' ? change() : change);
    await expect(open().beginAt(secrets)).rejects.toMatchObject({ kind: 'refused' });
    expect(liar.asked).toEqual([described]);
  });

  it('that is somewhere else is not followed there', async () => {
    Object.assign(liar, { status: 302, location: `${elsewhere}${described}` });
    await expect(open().beginAt(secrets)).rejects.toMatchObject({ kind: 'refused' });
    expect(liar.asked).toEqual([described]);
  });

  it('of ten thousand kilobytes is given up', async () => {
    liar.description['more'] = 'x'.repeat(10_000_000);
    await expect(open().beginAt(secrets)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('tokens that are given out by another host', () => {
  it('are asked for only where the operator allows that host', async () => {
    liar.description['token_endpoint'] = `${elsewhere}/token`;
    await expect(open().prove(cameBack(), secrets)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(liar.asked).toEqual([described]);
    await expect(open(issuer, [elsewhere]).prove(cameBack(), secrets)).rejects.toMatchObject({ kind: 'refused' });
    expect(liar.asked).toEqual([described, described, '/token']);
  });
});

it('a provider that fails is not asked again at once, however often people come', async () => {
  liar.status = 503;
  const provider = open();
  for (let count = 0; count < 3; count++) {
    const asked = Array.from({ length: 10 }, () => provider.beginAt(secrets).catch((fault: unknown) => fault));
    for (const fault of await Promise.all(asked)) expect(fault).toMatchObject({ kind: 'unavailable' });
  }
  expect(liar.asked).toEqual([described]);
});

it('an honest provider is asked once for its description, however often people come', async () => {
  const provider = open(honest.issuer);
  await Promise.all(Array.from({ length: 20 }, () => provider.beginAt(secrets)));
  await provider.beginAt(secrets);
  expect(honest.world.asked).toEqual([described]);
});
