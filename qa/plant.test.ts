/** Finding the planted bugs takes a long time. These tests only check that their patches apply. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const patches = globSync('qa/*/planted/*.patch', { cwd: root });

it.each(patches)('%s applies to the working tree', (patch) => {
  expect(() => execFileSync('git', ['apply', '--check', patch], { cwd: root, encoding: 'utf8' })).not.toThrow();
});

it('the folders of planted bugs contain more than 20 patches', () => {
  expect(patches.length).toBeGreaterThan(20);
});
