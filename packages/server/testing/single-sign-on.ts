/** Signs in with the provider as a browser does, step by step. */
import { createBrowser, type Browser } from './browser.ts';
import { publicUrl, type OpenIdCounterpart, type Person } from './counterparts/openid-provider.ts';

export interface Sides {
  /** The address at which the tested server listens. Its public URL is different. */
  origin: string;
  provider: OpenIdCounterpart;
}

/** Starts a sign-in and returns the callback URL to which the provider redirects, with the origin of the tested server. */
export async function goToProvider({ origin, provider }: Sides, who: string, browser: Browser, returnTo?: string) {
  provider.world.nextUser = who;
  const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  let step = await browser.get(`${origin}/sign-in/oidc${query}`);
  while (step.location.startsWith(provider.issuer)) step = await browser.get(step.location);
  return step.location.replace(publicUrl, origin);
}

/** Signs in completely and returns the response of the callback. */
export async function signInWithProvider(sides: Sides, who: string, claims?: Person, returnTo?: string) {
  if (claims) sides.provider.world.people.set(who, claims);
  const browser = createBrowser();
  const callback = await goToProvider(sides, who, browser, returnTo);
  const response = await browser.get(callback);
  return { ...response, browser, callback };
}

/** The error code in the URL of the sign-in page, or the path for any other URL. */
export const outcomeOf = (location: string): string =>
  location.startsWith(`${publicUrl}/sign-in?`)
    ? (new URL(location).searchParams.get('problem') ?? '')
    : location.replace(publicUrl, '');
