import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source'] };
const execArgv = ['--conditions=source'];
const patience = { testTimeout: 300_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } };
const report = process.env['MILEPOST_TEST_REPORT'];
/** What is measured with a clock is measured alone: one after the other, and not beside the others. */
const measured = ['e2e/installed.test.ts', 'e2e/browser/live.test.ts'];

const project = (name: string, include: string[], exclude: string[], maxWorkers: number) => ({
  resolve,
  environments: { ssr: { resolve } },
  test: {
    ...patience,
    pool: 'forks' as const,
    execArgv,
    name,
    include,
    exclude,
    maxWorkers,
    sequence: { groupOrder: maxWorkers },
  },
});

/** What people install, as they install it. Apart from the other tests, as it must be packed first. */
export default defineConfig({
  test: {
    globalSetup: ['e2e/global-setup.ts'],
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report && { outputFile: { json: report } }),
    projects: [project('measured', measured, [], 1), project('used', ['e2e/**/*.test.ts'], measured, 2)],
  },
});
