/**
 * Caches a provider's metadata for ten minutes, a failure to fetch it for five seconds, and its keys for four minutes. An unknown
 * key is fetched immediately, so the provider can change keys at any time. Only its own tokens can cause that fetch.
 */
import * as client from 'openid-client';
import { isSecureUrl, type OidcProvider } from '../config/oidc.ts';

const cachedMs = 10 * 60_000;
/** Not every click sends a request to a provider that is down, and a retry soon finds it again. */
const failureCachedMs = 5000;
/**
 * The library fetches keys again after 300 s, and an unknown key not within 60 s. Backdating the cache allows an immediate fetch.
 */
const olderBySeconds = 60;

/**
 * Accepted signatures of ID tokens, whatever else a provider offers: public keys with SHA-256 or better. Every provider must
 * support RS256, and many support no other.
 */
export const signingAlgorithms = 'ES256 ES384 ES512 Ed25519 EdDSA PS256 PS384 PS512 RS256 RS384 RS512'.split(' ');

export interface ProviderCache {
  configuration: () => Promise<client.Configuration>;
  /** Keeps the keys that the configuration may have fetched, for later requests. */
  keepKeys: (configuration: client.Configuration) => void;
}

export function createProviderCache(provider: OidcProvider, fetch: client.CustomFetch): ProviderCache {
  const readMetadata = cached(() => discover(provider, fetch));
  let keys: client.ExportedJWKSCache | undefined;
  return {
    configuration: async () => {
      const configuration = configured(provider, await readMetadata(), fetch);
      if (keys) client.setJwksCache(configuration, keys);
      return configuration;
    },
    keepKeys: (configuration) => {
      const found = client.getJwksCache(configuration);
      if (found && found.uat !== keys?.uat) keys = { ...found, uat: found.uat - olderBySeconds };
    },
  };
}

/** Concurrent callers share one request. */
function cached<T>(find: () => Promise<T>): () => Promise<T> {
  let found: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (found && performance.now() < found.until) return found.value;
    const fetched = { value: find(), until: performance.now() + cachedMs };
    fetched.value.catch(() => (fetched.until = performance.now() + failureCachedMs));
    found = fetched;
    return fetched.value;
  };
}

async function discover(provider: OidcProvider, fetch: client.CustomFetch): Promise<client.ServerMetadata> {
  const found = await client.discovery(new URL(provider.issuer), provider.clientId, undefined, client.None(), {
    execute: permissions(provider),
    [client.customFetch]: fetch,
  });
  const metadata = found.serverMetadata();
  if (metadata.issuer !== provider.issuer) {
    throw new Error(`the provider's issuer is ${metadata.issuer}, but MILEPOST_OIDC_ISSUER is ${provider.issuer}`);
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = URL.parse(metadata[name] ?? '');
    if (!url || !isSecureUrl(url)) throw new Error(`the provider's ${name} is missing or not https`);
  }
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  const accepted = signingAlgorithms.filter((one) => offered.includes(one));
  if (accepted.length === 0)
    throw new Error(`none of the provider's signing algorithms is accepted: ${String(offered)}`);
  return Object.assign(metadata, { id_token_signing_alg_values_supported: accepted });
}

function configured(provider: OidcProvider, metadata: client.ServerMetadata, fetch: client.CustomFetch) {
  const { clientId, clientSecret } = provider;
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const methodOf = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
  const configuration = new client.Configuration(metadata, clientId, undefined, methodOf(clientSecret));
  configuration[client.customFetch] = fetch;
  for (const permit of permissions(provider)) permit(configuration);
  // Checks the signature even though the token comes from the provider over https.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** The settings allow http only for a provider on this machine. */
const permissions = ({ issuer }: OidcProvider) => (issuer.startsWith('http:') ? [client.allowInsecureRequests] : []);
