/** Vitest tests of which the test suite runs the smoke version. Here they run at any size. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Size, Test } from './result.ts';

interface VitestTest {
  files: readonly string[];
  what: string;
  count: Record<Size, number>;
  /** Environment variables for the number and the seed. */
  settings: (count: number, seed: number) => Record<string, string>;
}

const single = { count: { full: 1, smoke: 1, quick: 1 }, settings: () => ({}) };

/** Workers that are killed, frozen and shut down in the middle of their runs. */
export const lostWorker = vitestTest({
  files: ['packages/server/src/engine/runs/lost-workers.system.test.ts'],
  what: 'runs of each lost worker',
  count: { full: 50, smoke: 5, quick: 2 },
  settings: (count) => ({ MILEPOST_TEST_LOST_RUNS: String(count) }),
});

/** Random walks through random workflows, compared with the model. */
export const walks = vitestTest({
  files: ['qa/walks/walks.system.test.ts'],
  what: 'walks',
  count: { full: 20_000, smoke: 1000, quick: 100 },
  settings: (count, seed) => ({ WALKS: String(count), WALKS_SEED: String(seed) }),
});

/** Experiments that change between the check and the operation, and the other rules of bulk operations. */
export const bulk = vitestTest({
  files: ['packages/server/src/engine/bulk/run-bulk-operations.interface.test.ts'],
  what: 'run of each test',
  ...single,
});

/** Bulk operations whose worker or server is killed. */
export const bulkKills = vitestTest({
  files: ['packages/server/src/engine/bulk/bulk-operation-killed.system.test.ts'],
  what: 'run of each test',
  ...single,
});

/** Imports of spreadsheets whose worker or server is killed. */
export const spreadsheetKills = vitestTest({
  files: ['packages/server/src/engine/spreadsheets/imports-killed.system.test.ts'],
  what: 'run of each test',
  ...single,
});

function vitestTest({ files, what, count, settings }: VitestTest): Test {
  return async ({ size, seed }) => {
    // A planted bug can break many tests of a file, and each of them may wait for its limit.
    const bail = size === 'quick' ? ['--bail=1'] : [];
    const child = spawn('vitest', ['run', ...files, '--reporter=verbose', ...bail], {
      env: { ...process.env, ...settings(count[size], seed), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    process.once('exit', () => child.kill());
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    const [code] = (await once(child, 'close')) as [number | null];
    const results = output.split('\n').filter((line) => /^\s*[✓×]/.test(line));
    return {
      verdict: code === 0 ? 'passed' : 'failed',
      lines: [`${count[size]} ${what}`, ...(code === 0 ? results.map((line) => line.trim()) : output.split('\n'))],
      figures: { [what.replaceAll(' ', '_')]: count[size], exit_code: code },
    };
  };
}
