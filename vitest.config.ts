import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** Workspace packages are read as TypeScript, as Node does with --conditions=source. */
const resolve = { conditions: ['source'] };
const report = process.env['MILEPOST_TEST_REPORT'];

const sources = '{packages,qa,tools}/**';
const postgres = ['packages/server/testing/global-setup.ts'];

/**
 * A test file's name says what it needs: `x.test.ts` nothing but Node, `x.interface.test.ts` PostgreSQL with the server in the
 * same process, `x.system.test.ts` processes of their own. Tests in `e2e` need the packed product and a browser.
 */
const project = (name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  resolve,
  // Tests are loaded in the environment `ssr`, the global setup in Vitest's own.
  environments: { ssr: { resolve }, __vitest__: { resolve } },
  test: {
    name,
    pool: 'forks',
    // Worker threads of the server are plain Node: they need the condition, too.
    execArgv: ['--conditions=source'],
    // Bounds for a hang. No test may fail because the machine is slow.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 900_000 } },
    ...test,
  },
});

export default defineConfig({
  test: {
    // Half the cores is Vitest's own choice; the rest is then idle while tests wait for PostgreSQL.
    maxWorkers: '100%',
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report && { outputFile: { json: report } }),
    tags: [
      { name: 'nightly', description: 'Asserts a duration, or takes too long for the gate.' },
      { name: 'planted', description: 'Plants a fault in a copy of the tree, and fails unless it is found.' },
      { name: 'sql', description: 'Sends statements that must run on every supported PostgreSQL.' },
    ],
    projects: [
      project('pure', {
        include: [`${sources}/*.test.ts`],
        exclude: ['**/*.{interface,system}.test.ts', '**/node_modules/**', '**/dist/**'],
      }),
      project('interface', {
        include: [`${sources}/*.interface.test.ts`],
        globalSetup: postgres,
        // Files in one worker share their modules: importing the whole server takes longer than most tests.
        isolate: false,
      }),
      project('system', { include: [`${sources}/*.system.test.ts`], globalSetup: postgres }),
      project('browser', { include: ['e2e/**/*.test.ts'], globalSetup: ['e2e/global-setup.ts'] }),
    ],
  },
});
