/** Checks the accessibility of what a page shows. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare const axe: { run: (options: RunOptions) => Promise<AxeResults> };

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const schemes = ['light', 'dark'] as const;

/** For the browser. axe would otherwise check colours in the middle of a transition. */
export const withoutMotion = { reducedMotion: 'reduce' } as const;

/** The serious and critical violations of the page in both colour schemes. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    // The API reference is a page without scripts.
    if ((await page.locator('script').count()) > 0)
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }));
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    for (const { id, nodes } of serious)
      found.push(...nodes.map(({ html }) => `${colorScheme}, ${id}: ${html.slice(0, 200)}`));
  }
  return found;
}
