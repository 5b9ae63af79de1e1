/** Moving through a page with the keyboard alone. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isFocused } from './expect-visible.ts';

/** The focus can be in a list of many items that a test of its own has created. */
const mostPresses = 120;

/** Presses Tab until the element has the focus, and checks that the focus is visible. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < mostPresses && !(await isFocused(target)); presses++)
    await page.keyboard.press('Tab');
  expect(await isFocused(target)).toBe(true);
  await expectVisibleFocus(target);
}

export async function expectVisibleFocus(target: Locator): Promise<void> {
  await expect.poll(() => isFocused(target)).toBe(true);
  const outline = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return { outlined: outlineStyle !== 'none' && outlineWidth !== '0px', boxShadow };
  });
  expect(outline.outlined || outline.boxShadow !== 'none').toBe(true);
}

/** Presses Tab until the element has the focus, then Enter. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}
