/**
 * Are the walks able to find anything? Each patch plants a fault in the engine; a thousand walks must find it. A patch that
 * no longer fits fails, and so does a run that ends in any other way.
 */
import { readdirSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { findFault, patches } from './planted.ts';
import { seed } from './run-walks.ts';

it.each(readdirSync(patches))('the fault of %s is found', { tags: ['nightly', 'planted'] }, async (patch) => {
  const { walk, told } = await findFault(patch, seed, inject('testServer').superuserUrl);
  expect(walk ?? told).toBeGreaterThan(0);
  console.log(`${patch}: found in walk ${walk}; seed: ${seed}`);
});
