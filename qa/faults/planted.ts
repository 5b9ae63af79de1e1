/**
 * `npm run qa:planted`: do the checkers see anything? Each patch plants a bug in a copy of the tree, and the run of one test
 * there must fail at the checker that is named here. A patch that no longer fits fails, and so does a run that stays green.
 * `npm run qa:planted -- no-lock` tries one.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withPlanted } from '../plant.ts';

interface Planted {
  test: string;
  /** How the line of the checker begins, or what a test without checkers says. */
  caughtBy: string | RegExp;
}

const planted: Record<string, Planted> = {
  'answer-before-commit': { test: 'kills', caughtBy: '(a)' },
  'callback-called-twice': { test: 'kills', caughtBy: '(f)' },
  'commit-before-executions': { test: 'kills', caughtBy: '(d)' },
  'commit-before-it-is-on-disk': { test: 'database', caughtBy: '(a)' },
  'dead-links-are-waited-for': { test: 'link', caughtBy: 'requests fail within 5 s' },
  'ends-without-leave': { test: 'sigterm', caughtBy: 'a process that is asked to end' },
  'engine-in-the-name-of-people': { test: 'kills', caughtBy: '(b)' },
  'hash-without-the-one-before': { test: 'kills', caughtBy: '(g)' },
  'import-in-pieces': { test: 'imports', caughtBy: /, [1-9]\d* neither$/m },
  'key-beside-its-effect': { test: 'kills', caughtBy: '(a)' },
  'lost-connection-ends-the-process': { test: 'database', caughtBy: 'answers are 503' },
  'lost-runs-are-left': {
    test: 'lost-worker',
    caughtBy: /× .*the runs of a worker that is killed are run by another/,
  },
  'move-without-its-entry': { test: 'kills', caughtBy: '(a)' },
  'no-attempt-check': { test: 'kills', caughtBy: '(a)' },
  'no-lock': { test: 'race', caughtBy: '(c)' },
  'no-word-when-to-come-again': { test: 'database', caughtBy: 'answers are 503' },
  'nobody-looks-for-timeouts': { test: 'kills', caughtBy: '(h)' },
  'timeouts-counted-by-who-looked': { test: 'timeouts', caughtBy: /, [1-9]\d* rounds with a wrong count$/m },
};

const folder = new URL('./planted/', import.meta.url);
const { positionals } = parseArgs({ allowPositionals: true });
const stray = readdirSync(folder).filter((file) => !(file.replace('.patch', '') in planted));
if (stray.length > 0) throw new Error(`nobody says what catches ${stray.join(', ')}`);

const asked = Object.entries(planted).filter(([name]) => positionals.length === 0 || positionals.includes(name));
let caught = 0;
for (const [name, bug] of asked) {
  const told = await withPlanted(new URL(`${name}.patch`, folder), (copy) => runIn(copy, bug));
  const isCaught = isCaughtIn(told, bug);
  if (isCaught) caught++;
  else console.log(told);
  console.log(`${name.padEnd(34)} ${bug.test.padEnd(12)} ${isCaught ? `caught by ${nameOf(bug)}` : 'NOT CAUGHT'}`);
}
console.log(`${caught} of ${asked.length} planted bugs were caught.`);
if (caught < asked.length) process.exitCode = 1;

function nameOf({ test, caughtBy }: Planted): string {
  return caughtBy instanceof RegExp ? `what ${test} counts` : caughtBy;
}

function runIn(cwd: string, { test }: Planted): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const args = ['--conditions=source', 'qa/faults/run.ts', test, '--quick', '--seed', '7'];
  execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (_, out, error) => resolve(out + error));
  return promise;
}

/** By whom it was expected to be; that others saw it, too, is no harm. */
function isCaughtIn(told: string, { caughtBy }: Planted): boolean {
  if (!/^\S+ \(\w+\), seed \d+, \d+ s: failed$/m.test(told)) return false;
  if (caughtBy instanceof RegExp) return caughtBy.test(told);
  return told.split('\n').some((line) => /BROKEN \d+ times: /.test(line) && line.includes(`: ${caughtBy}`));
}
