import type { Locator } from 'playwright-core';

/** It is there now, or comes while one waits. */
export const expectVisible = (what: Locator): Promise<void> => what.first().waitFor();
