/** All fault tests by name. */
import { storms } from '../plans.ts';
import { reportOf } from '../report.ts';
import { storm } from '../storm.ts';
import { imports } from './imports.ts';
import { bulk, bulkKills, lostWorker, spreadsheetKills, walks } from './vitest-tests.ts';
import { race } from './race.ts';
import type { Test } from './result.ts';
import { timeouts } from './timeouts.ts';

const stormTest =
  (name: keyof typeof storms): Test =>
  async ({ size, seed, folder }) => {
    const plan = storms[name][size];
    return reportOf(plan, await storm(plan, seed, folder));
  };

/** The test suite already contains the smoke version of these. */
export const inTestSuite = ['lost-worker', 'walks', 'bulk', 'bulk-kills', 'spreadsheet-kills'];

export const tests: Record<string, Test> = {
  kills: stormTest('kills'),
  database: stormTest('database'),
  link: stormTest('link'),
  outages: stormTest('outages'),
  sigterm: stormTest('sigterm'),
  'lost-worker': lostWorker,
  race,
  timeouts,
  imports,
  walks,
  bulk,
  'bulk-kills': bulkKills,
  'spreadsheet-kills': spreadsheetKills,
};
