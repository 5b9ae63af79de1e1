/**
 * The provider of single sign-on, by the code flow of OpenID Connect with PKCE. What goes to it goes through the same gate as
 * everything else: its own host and port are allowed by the setting that names it, others by MILEPOST_OUTGOING_ALLOW. What comes
 * back is believed when state, issuer, nonce, audience, times and the signature by one of its keys are right (docs/decisions/0033).
 */
import { calculatePKCECodeChallenge, buildAuthorizationUrl, authorizationCodeGrant } from 'openid-client';
import { AuthorizationResponseError, type IDToken } from 'openid-client';
import type { AllowedTarget } from '../config/targets.ts';
import type { OidcProvider } from '../config/oidc.ts';
import { targetOf } from '../config/targets.ts';
import { createOutgoing } from './create-outgoing.ts';
import { fetchThrough, isOutage } from './fetch-through.ts';
import { createProviderMemory } from './provider-memory.ts';

/** Known to this server and one browser; the provider sees the first two, and of the third the hash. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export interface ProvenIdentity {
  issuer: string;
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

export interface OpenIdProvider {
  /** Where the browser goes to sign in. */
  beginAt: (secrets: SignInSecrets) => Promise<string>;
  /** Of the address that the browser came back to, who came. Both throw ProviderFault. */
  prove: (cameBackTo: URL, secrets: SignInSecrets) => Promise<ProvenIdentity>;
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
  const memory = createProviderMemory(provider, fetchThrough(outgoing));
  return {
    beginAt: (secrets) =>
      withFaults(async () => {
        const configuration = await memory.configuration();
        const code_challenge = await calculatePKCECodeChallenge(secrets.verifier);
        const { state, nonce } = secrets;
        const asked = { redirect_uri: redirectUri, scope: provider.scopes, state, nonce };
        return buildAuthorizationUrl(configuration, { ...asked, code_challenge, code_challenge_method: 'S256' }).href;
      }),
    prove: (cameBackTo, { state, nonce, verifier }) =>
      withFaults(async () => {
        const configuration = await memory.configuration();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        try {
          const answer = await authorizationCodeGrant(configuration, cameBackTo, checks);
          return identityOf(provider, answer.claims());
        } finally {
          memory.keepKeys(configuration);
        }
      }),
  };
}

/** Beyond what the library looks at: a token that was made for somebody else is none of ours, also with our name in it. */
function identityOf({ issuer, clientId }: OidcProvider, claims: IDToken | undefined): ProvenIdentity {
  if (claims?.iss !== issuer) throw new Error('the token is of another issuer');
  if (claims.azp !== undefined && claims.azp !== clientId) throw new Error('the token was made for another client');
  if (!isStorable(claims.sub)) throw new Error('the subject is empty, too long, or no text');
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
