import { defineConfig } from 'vitest/config';

/** What people install, as they install it. Apart from the other tests, as it must be packed first. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  environments: { ssr: { resolve: { conditions: ['source'] } } },
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['e2e/global-setup.ts'],
    pool: 'forks',
    // One after the other: what is measured with a clock is measured alone.
    maxWorkers: 1,
    execArgv: ['--conditions=source'],
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 180_000,
    reporters: process.env['MILEPOST_TEST_REPORT'] ? ['default', 'json'] : ['default'],
    outputFile: { json: process.env['MILEPOST_TEST_REPORT'] ?? '' },
  },
});
