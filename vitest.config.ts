import { defineConfig } from 'vitest/config';

/** Workspace packages are read as TypeScript, as Node does with --conditions=source. */
const resolve = { conditions: ['source'] };
/** Tests are loaded in the environment `ssr`, the global setup in Vitest's own. */
const environments = { ssr: { resolve }, __vitest__: { resolve } };
// Worker threads of the server are plain Node: they need the condition, too.
const execArgv = ['--conditions=source'];
// What is waited for comes when it comes: a second, which is the default, is short where all cores are busy.
const poll = { timeout: 120_000 };
// Of a test that hangs, not of one that is slow because the machine is.
const [testTimeout, hookTimeout] = [600_000, 300_000];
const shared = { pool: 'forks', execArgv, testTimeout, hookTimeout, expect: { poll } } as const;
const report = process.env['MILEPOST_TEST_REPORT'];

export default defineConfig({
  test: {
    // Half the cores is Vitest's own choice; the rest is then idle while tests wait for PostgreSQL.
    maxWorkers: '100%',
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report && { outputFile: { json: report } }),
    projects: [
      {
        resolve,
        environments,
        test: {
          ...shared,
          name: 'pure',
          include: ['packages/*/src/**/*.test.ts', 'packages/web/build/**/*.test.ts'],
          exclude: ['packages/server/**', '**/node_modules/**'],
        },
      },
      {
        resolve,
        environments,
        test: {
          ...shared,
          name: 'database',
          include: ['packages/server/src/**/*.test.ts', 'qa/**/*.test.ts', 'tools/**/*.test.ts'],
          // Of the walks, whether they find what is planted: `npm run walks:planted`.
          exclude: ['**/node_modules/**', ...(process.env['MILEPOST_PLANTED'] ? [] : ['qa/walks/planted.test.ts'])],
          globalSetup: ['packages/server/testing/global-setup.ts'],
        },
      },
    ],
  },
});
