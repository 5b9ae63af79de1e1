import type { Page } from 'playwright-core';

declare const clicked: () => void;

/** Counts from now on what somebody presses, in the page itself, so that no click of a test is forgotten. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('clicked', () => void clicks++);
  // Where a key presses a button, the browser makes a click of it, too.
  await page.evaluate(() => document.addEventListener('click', () => clicked(), { capture: true }));
  return () => clicks;
}
