/**
 * What a process remembers of the provider: its description for ten minutes, that it could not be had for five seconds, its keys
 * for four minutes. A key that is not among them is asked for at once, so a provider may change keys at any time; that only its own
 * tokens can do.
 */
import * as client from 'openid-client';
import { isTrustworthy, type OidcProvider } from '../config/oidc.ts';

const describedForMs = 10 * 60_000;
/** A provider that is down is not asked by every click, and found again by those who try again. */
const failedForMs = 5000;
/** The library asks anew for keys that it has had for 300 s, and for an unknown key not within 60 s: so these are given an older date. */
const olderBySeconds = 60;

/**
 * How ID tokens may be signed, whatever else a provider offers: by keys of its own, with SHA-256 or better. RS256 every provider must
 * offer, and many offer no other.
 */
export const signingAlgorithms = 'ES256 ES384 ES512 Ed25519 EdDSA PS256 PS384 PS512 RS256 RS384 RS512'.split(' ');

export interface ProviderMemory {
  configuration: () => Promise<client.Configuration>;
  /** The configuration has fetched keys, perhaps: others can use them. */
  keepKeys: (configuration: client.Configuration) => void;
}

export function createProviderMemory(provider: OidcProvider, fetch: client.CustomFetch): ProviderMemory {
  const describe = remembered(() => discover(provider, fetch));
  let keys: client.ExportedJWKSCache | undefined;
  return {
    configuration: async () => {
      const configuration = configured(provider, await describe(), fetch);
      if (keys) client.setJwksCache(configuration, keys);
      return configuration;
    },
    keepKeys: (configuration) => {
      const found = client.getJwksCache(configuration);
      if (found && found.uat !== keys?.uat) keys = { ...found, uat: found.uat - olderBySeconds };
    },
  };
}

/** However many ask at once, one request is made. */
function remembered<T>(find: () => Promise<T>): () => Promise<T> {
  let found: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (found && performance.now() < found.until) return found.value;
    const asked = { value: find(), until: performance.now() + describedForMs };
    asked.value.catch(() => (asked.until = performance.now() + failedForMs));
    found = asked;
    return asked.value;
  };
}

async function discover(provider: OidcProvider, fetch: client.CustomFetch): Promise<client.ServerMetadata> {
  const found = await client.discovery(new URL(provider.issuer), provider.clientId, undefined, client.None(), {
    execute: permissions(provider),
    [client.customFetch]: fetch,
  });
  const described = found.serverMetadata();
  if (described.issuer !== provider.issuer) {
    throw new Error(`the provider calls itself ${described.issuer}, and MILEPOST_OIDC_ISSUER is ${provider.issuer}`);
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = URL.parse(described[name] ?? '');
    if (!url || !isTrustworthy(url)) throw new Error(`the provider's ${name} is missing, or not https`);
  }
  const offered = described.id_token_signing_alg_values_supported ?? ['RS256'];
  const taken = signingAlgorithms.filter((one) => offered.includes(one));
  if (taken.length === 0) throw new Error(`the provider signs with ${String(offered)}, and none of these is taken`);
  return Object.assign(described, { id_token_signing_alg_values_supported: taken });
}

function configured(provider: OidcProvider, described: client.ServerMetadata, fetch: client.CustomFetch) {
  const { clientId, clientSecret } = provider;
  const ways = described.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const wayOf = ways.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
  const configuration = new client.Configuration(described, clientId, undefined, wayOf(clientSecret));
  configuration[client.customFetch] = fetch;
  for (const permit of permissions(provider)) permit(configuration);
  // The signature is looked at although the token comes from the provider itself, over https.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Only a provider on this machine may be without https; settings see to that. */
const permissions = ({ issuer }: OidcProvider) => (issuer.startsWith('http:') ? [client.allowInsecureRequests] : []);
