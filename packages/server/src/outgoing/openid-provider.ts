/**
 * Single sign-on with OpenID Connect: authorization code flow with PKCE. Requests to the provider follow the rules of all
 * outgoing requests: its own host and port are allowed by the issuer setting, others by MILEPOST_OUTGOING_ALLOW. An ID token is
 * accepted if its state, issuer, nonce, audience, times and signature are valid (docs/decisions/0033).
 */
import { calculatePKCECodeChallenge, buildAuthorizationUrl, authorizationCodeGrant } from 'openid-client';
import { AuthorizationResponseError, type IDToken } from 'openid-client';
import type { AllowedTarget } from '../config/targets.ts';
import type { OidcProvider } from '../config/oidc.ts';
import { targetOf } from '../config/targets.ts';
import { createOutgoing } from './create-outgoing.ts';
import { fetchThrough, isOutage } from './fetch-through.ts';
import { createProviderCache } from './provider-cache.ts';

/** Shared by this server and one browser. The provider sees `state`, `nonce` and the hash of `verifier`. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export interface VerifiedIdentity {
  issuer: string;
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

export interface OpenIdProvider {
  /** The page of the provider at which the user signs in. */
  authorizationUrl: (secrets: SignInSecrets) => Promise<string>;
  /** Identifies the user from the callback URL. Both functions throw ProviderFault. */
  verifyCallback: (callbackUrl: URL, secrets: SignInSecrets) => Promise<VerifiedIdentity>;
}

export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  readonly kind: 'unavailable' | 'cancelled' | 'refused';

  constructor(kind: ProviderFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

interface Options {
  provider: OidcProvider;
  redirectUri: string;
  allow: readonly AllowedTarget[];
}

export function createOpenIdProvider({ provider, redirectUri, allow }: Options): OpenIdProvider {
  const outgoing = createOutgoing({ allow: [targetOf(new URL(provider.issuer)), ...allow] });
  const cache = createProviderCache(provider, fetchThrough(outgoing));
  return {
    authorizationUrl: (secrets) =>
      withFaults(async () => {
        const configuration = await cache.configuration();
        const code_challenge = await calculatePKCECodeChallenge(secrets.verifier);
        const { state, nonce } = secrets;
        const parameters = { redirect_uri: redirectUri, scope: provider.scopes, state, nonce };
        return buildAuthorizationUrl(configuration, { ...parameters, code_challenge, code_challenge_method: 'S256' })
          .href;
      }),
    verifyCallback: (callbackUrl, { state, nonce, verifier }) =>
      withFaults(async () => {
        const configuration = await cache.configuration();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        try {
          const tokens = await authorizationCodeGrant(configuration, callbackUrl, checks);
          return identityOf(provider, tokens.claims());
        } finally {
          cache.keepKeys(configuration);
        }
      }),
  };
}

/** Checks that the library omits: a token for another client is rejected, even if its audience includes us. */
function identityOf({ issuer, clientId }: OidcProvider, claims: IDToken | undefined): VerifiedIdentity {
  if (claims?.iss !== issuer) throw new Error('the token has another issuer');
  if (claims.azp !== undefined && claims.azp !== clientId) throw new Error('the token was issued for another client');
  if (!isStorable(claims.sub)) {
    throw new Error(`the subject must be valid text of 1 to 255 characters, but has ${claims.sub.length}`);
  }
  return { issuer, subject: claims.sub, claims };
}

const isStorable = (subject: string) =>
  subject.length >= 1 && subject.length <= 255 && subject.isWellFormed() && !subject.includes('\0');

async function withFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw faultOf(error);
  }
}

function faultOf(error: unknown): ProviderFault {
  const { message } = error as Error;
  if (isOutage(error)) return new ProviderFault('unavailable', message, { cause: error });
  const isRefusal = error instanceof AuthorizationResponseError;
  if (isRefusal && error.error === 'access_denied') return new ProviderFault('cancelled', message, { cause: error });
  if (isRefusal && /^(?:temporarily_unavailable|server_error)$/.test(error.error)) {
    return new ProviderFault('unavailable', message, { cause: error });
  }
  return new ProviderFault('refused', message, { cause: error });
}
