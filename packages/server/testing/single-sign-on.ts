/** Signing in through the provider as a browser does, step by step. */
import { createBrowser, type Browser } from './browser.ts';
import { publicUrl, type OpenIdCounterpart, type Person } from './counterparts/openid-provider.ts';

export interface Sides {
  /** Where the server under test really listens; people know it by its public address. */
  origin: string;
  provider: OpenIdCounterpart;
}

/** From the button to the address that the provider sends the browser back to, as the server is really reached. */
export async function goToProvider({ origin, provider }: Sides, who: string, browser: Browser, returnTo?: string) {
  provider.world.next = who;
  const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  let step = await browser.get(`${origin}/sign-in/oidc${query}`);
  while (step.location.startsWith(provider.issuer)) step = await browser.get(step.location);
  return step.location.replace(publicUrl, origin);
}

/** The whole way. The answer is that of the callback. */
export async function signInThrough(sides: Sides, who: string, claims?: Person, returnTo?: string) {
  if (claims) sides.provider.world.people.set(who, claims);
  const browser = createBrowser();
  const callback = await goToProvider(sides, who, browser, returnTo);
  const answer = await browser.get(callback);
  return { ...answer, browser, callback };
}

/** Of an address of the page of sign-in, the code in it; else the address. */
export const outcomeOf = (location: string): string =>
  location.startsWith(`${publicUrl}/sign-in?`)
    ? (new URL(location).searchParams.get('problem') ?? '')
    : location.replace(publicUrl, '');
