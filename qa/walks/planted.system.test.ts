/**
 * Tests the walks. Each patch plants a bug in the engine, and 1,000 walks must find it. A patch that does not apply is an
 * error.
 */
import { readdirSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { findBug, patches } from './planted.ts';
import { seed } from './run-walks.ts';

it.each(readdirSync(patches))(
  'the walks find the bug that %s plants',
  { tags: ['nightly', 'planted'] },
  async (patch) => {
    const { walk, output } = await findBug(patch, seed, inject('testServer').superuserUrl);
    expect(walk ?? output).toBeGreaterThan(0);
    console.log(`${patch}: found in walk ${walk}; seed: ${seed}`);
  },
);
