/**
 * An OpenID Connect provider (oidc-provider) with its own HTTP server. It signs in the user that the test names, without a page.
 * It can change its keys, forge its tokens and stop responding.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import { Provider, type Configuration } from 'oidc-provider';

export const publicUrl = 'https://milepost.example.org';
export const clientId = 'milepost';
export const clientSecret = 'canary-of-the-client-secret';

export type Person = Readonly<Record<string, unknown>>;
export type Forge = (idToken: string, key: SigningKey) => string | Promise<string>;
export type OpenIdCounterpart = Awaited<ReturnType<typeof startOpenIdProvider>>;

type SigningKey = JWK;

export function newSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

/** `at` is the public URL of Milepost, the only allowed redirect target. */
export async function startOpenIdProvider(at = publicUrl) {
  const world = {
    people: new Map<string, Person>(),
    /** The user who signs in next, or undefined to cancel. */
    nextUser: undefined as string | undefined,
    forge: undefined as Forge | undefined,
    key: newSigningKey(),
    /** `silent`: no responses. `broken`: only errors. */
    outage: undefined as 'silent' | 'broken' | undefined,
    /** The access tokens and ID tokens that it has issued. */
    tokens: [] as string[],
    requestedPaths: [] as string[],
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let provider = createProvider(issuer, at, world);

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    world.requestedPaths.push((request.url ?? '').split('?', 1)[0] ?? '');
    if (world.outage === 'silent') return;
    if (world.outage === 'broken') return void response.writeHead(500).end('<b>broken</b>');
    if (request.url?.startsWith('/interaction/')) return signInAs(provider, request, response, world.nextUser);
    await provider.callback()(request, response);
  };

  return {
    issuer,
    world,
    settings: {
      MILEPOST_OIDC_ISSUER: issuer,
      MILEPOST_OIDC_CLIENT_ID: clientId,
      MILEPOST_OIDC_CLIENT_SECRET: clientSecret,
      MILEPOST_OIDC_NAME: 'Hospital account',
      MILEPOST_OIDC_ROLE_CLAIM: 'groups',
      MILEPOST_OIDC_ROLES: 'heads=admin, scanners=superuser, readers=user',
      MILEPOST_PUBLIC_URL: at,
    },
    changeKeys: () => {
      world.key = newSigningKey();
      provider = createProvider(issuer, at, world);
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface World {
  people: Map<string, Person>;
  key: SigningKey;
  forge: Forge | undefined;
  tokens: string[];
}

function createProvider(issuer: string, at: string, world: World): Provider {
  const provider = new Provider(issuer, configuration(at, world));
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string; access_token?: string } | undefined;
    if (context.path !== '/token' || body?.id_token === undefined) return;
    world.tokens.push(body.id_token, body.access_token ?? '');
    if (world.forge) {
      context.body = { ...body, id_token: await world.forge(body.id_token, world.key) };
    }
  });
  return provider;
}

const configuration = (at: string, { people, key }: World): Configuration => ({
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [`${at}/sign-in/oidc/callback`],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  claims: { openid: ['sub', 'groups'], profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  cookies: { keys: [randomUUID()] },
  jwks: { keys: [key] },
});

async function signInAs(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  user: string | undefined,
) {
  const cancelled = { error: 'access_denied', error_description: '<script>alert(1)</script>' };
  await provider.interactionFinished(
    request,
    response,
    user === undefined ? cancelled : { login: { accountId: user } },
  );
}
