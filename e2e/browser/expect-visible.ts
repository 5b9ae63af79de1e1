import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** It is there now, or comes while one waits. */
export async function expectVisible(what: Locator): Promise<void> {
  await expect.poll(() => what.first().isVisible()).toBe(true);
}
