import type { Locator } from 'playwright-core';

export const expectVisible = (locator: Locator): Promise<void> => locator.first().waitFor();
