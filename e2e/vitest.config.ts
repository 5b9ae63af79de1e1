import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source'] };
const execArgv = ['--conditions=source'];
const globalSetup = ['e2e/global-setup.ts'];
const shared = {
  globalSetup,
  pool: 'forks',
  execArgv,
  testTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  hookTimeout: 180_000,
} as const;
/** What is measured with a clock is measured alone. */
const measured = ['e2e/installed.test.ts', 'e2e/browser/live.test.ts'];
const report = process.env['MILEPOST_TEST_REPORT'];

/** What people install, as they install it. Apart from the other tests, as it must be packed first. */
export default defineConfig({
  test: {
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report && { outputFile: { json: report } }),
    projects: [
      {
        resolve,
        environments: { ssr: { resolve } },
        test: { ...shared, name: 'measured', include: measured, maxWorkers: 1, sequence: { groupOrder: 0 } },
      },
      {
        resolve,
        environments: { ssr: { resolve } },
        test: {
          ...shared,
          name: 'used',
          include: ['e2e/**/*.test.ts'],
          exclude: measured,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
