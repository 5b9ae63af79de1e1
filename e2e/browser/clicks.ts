import type { Page } from 'playwright-core';

declare const clicked: () => void;

/** Counts clicks in the page itself from now on, so that none is missed. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('clicked', () => void clicks++);
  // The browser also fires a click when a key activates a button.
  await page.evaluate(() => document.addEventListener('click', () => clicked(), { capture: true }));
  return () => clicks;
}
