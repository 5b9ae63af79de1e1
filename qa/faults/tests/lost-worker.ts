/** Workers killed, frozen and asked to end in the middle of their runs: the test that holds it, with as many runs as asked for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from './result.ts';

const runs = { full: 50, smoke: 5 };
const file = 'packages/server/src/work/lost-workers.test.ts';

export const lostWorker: Test = async ({ size }) => {
  const child = spawn('vitest', ['run', file, '--reporter=verbose'], {
    env: { ...process.env, MILEPOST_TEST_LOST_RUNS: String(runs[size]), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  const told = said.split('\n').filter((line) => /^\s*[✓×]/.test(line));
  return {
    verdict: code === 0 ? 'passed' : 'failed',
    lines: [
      `${runs[size]} runs of each lost worker`,
      ...(code === 0 ? told.map((line) => line.trim()) : said.split('\n')),
    ],
    figures: { runs: runs[size], exit_code: code },
  };
};
