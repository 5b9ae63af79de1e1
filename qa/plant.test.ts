/** Planted faults are tried in runs of their own, which take long: that each still fits the tree is seen at once. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const patches = globSync('qa/*/planted/*.patch', { cwd: root });

it.each(patches)('%s fits', (patch) => {
  expect(() => execFileSync('git', ['apply', '--check', patch], { cwd: root, encoding: 'utf8' })).not.toThrow();
});

it('they are more than twenty', () => {
  expect(patches.length).toBeGreaterThan(20);
});
