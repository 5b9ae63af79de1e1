import type { Locator } from 'playwright-core';

export const expectVisible = (locator: Locator): Promise<void> => locator.first().waitFor();

export const isFocused = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement).catch(() => false);
