/** Tests that hold something in the small on every run of all tests, here with as much as is asked for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Size, Test } from './result.ts';

interface Held {
  file: string;
  what: string;
  count: Record<Size, number>;
  /** The settings that tell it how many, and with which seed. */
  settings: (count: number, seed: number) => Record<string, string>;
}

/** Workers killed, frozen and asked to end in the middle of their runs. */
export const lostWorker = held({
  file: 'packages/server/src/work/lost-workers.system.test.ts',
  what: 'runs of each lost worker',
  count: { full: 50, smoke: 5, quick: 2 },
  settings: (count) => ({ MILEPOST_TEST_LOST_RUNS: String(count) }),
});

/** Random workflows and what people and programs do with them, against the model. */
export const walks = held({
  file: 'qa/walks/walks.system.test.ts',
  what: 'walks',
  count: { full: 100_000, smoke: 1000, quick: 100 },
  settings: (count, seed) => ({ WALKS: String(count), WALKS_SEED: String(seed) }),
});

function held({ file, what, count, settings }: Held): Test {
  return async ({ size, seed }) => {
    const child = spawn('vitest', ['run', '--project=system', file, '--reporter=verbose'], {
      env: { ...process.env, ...settings(count[size], seed), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => (said += String(chunk)));
    const [code] = (await once(child, 'close')) as [number | null];
    const told = said.split('\n').filter((line) => /^\s*[✓×]/.test(line));
    return {
      verdict: code === 0 ? 'passed' : 'failed',
      lines: [`${count[size]} ${what}`, ...(code === 0 ? told.map((line) => line.trim()) : said.split('\n'))],
      figures: { [what.replaceAll(' ', '_')]: count[size], exit_code: code },
    };
  };
}
