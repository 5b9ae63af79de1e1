/** `npm run walks -- 5000 42` runs the test of the walks with 5,000 walks and the seed 42. */
import { spawnSync } from 'node:child_process';

const [count = '10000', seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2);
if (![count, seed].every((argument) => /^\d+$/.test(argument))) {
  console.error('Usage: npm run walks -- [number of walks] [seed]');
  process.exit(2);
}
const { status } = spawnSync('vitest', ['run', '--project=system', 'qa/walks/walks.system.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, WALKS: count, WALKS_SEED: seed },
});
process.exitCode = status ?? 1;
