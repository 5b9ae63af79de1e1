/**
 * `npm run qa:planted` tests the checkers. Each patch plants a bug in a copy of the tree. One test runs there and must fail at
 * the checker named here. A patch that does not apply is an error. `npm run qa:planted -- no-lock` plants one bug.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withPlanted } from '../plant.ts';
import { outcomeOf, type Outcome, type Planted } from './planted-outcome.ts';

const planted: Record<string, Planted> = {
  'asynchronous-commit': { test: 'database', caughtBy: '(a)' },
  'bulk-ignores-versions': { test: 'bulk', caughtBy: /× .*run-bulk-operations.interface.test.ts/ },
  'bulk-results-in-another-transaction': { test: 'bulk-kills', caughtBy: /× .*bulk-operation-killed.system.test.ts/ },
  'callback-called-twice': { test: 'kills', caughtBy: '(f)' },
  'engine-acts-as-user': { test: 'kills', caughtBy: '(b)' },
  'hash-without-previous': { test: 'kills', caughtBy: '(g)' },
  'import-lines-in-another-transaction': { test: 'spreadsheet-kills', caughtBy: /× .*imports-killed.system.test.ts/ },
  'import-in-two-transactions': { test: 'imports', caughtBy: /, [1-9]\d* partial$/m },
  'key-outside-transaction': { test: 'kills', caughtBy: '(a)' },
  'lost-connection-crashes-process': { test: 'database', caughtBy: 'failures are 503' },
  'lost-runs-not-retried': {
    test: 'lost-worker',
    caughtBy: /× .*runs the executions of a killed worker once more in another worker/,
  },
  'move-without-executions': { test: 'kills', caughtBy: '(d)' },
  'move-without-history-entry': { test: 'kills', caughtBy: '(a)' },
  'no-attempt-check': { test: 'kills', caughtBy: '(a)' },
  'no-graceful-shutdown': { test: 'sigterm', caughtBy: 'a graceful shutdown' },
  'no-lock': { test: 'race', caughtBy: '(c)' },
  'no-query-timeout': { test: 'link', caughtBy: 'requests fail within 5 s' },
  'no-retry-after': { test: 'database', caughtBy: 'failures are 503' },
  'no-timeout-sweep': { test: 'kills', caughtBy: '(h)' },
  'response-before-commit': { test: 'kills', caughtBy: '(a)' },
  'timeouts-counted-twice': { test: 'timeouts', caughtBy: /, [1-9]\d* rounds with a wrong count$/m },
};

const textOf: Record<Outcome, (bug: Planted) => string> = {
  caught: (bug) => `caught by ${nameOf(bug)}`,
  'not caught': () => 'NOT CAUGHT',
  'not finished': () => 'NOT FINISHED: repeat it on a machine that is less busy',
};

const folder = new URL('./planted/', import.meta.url);
const { positionals } = parseArgs({ allowPositionals: true });
const unassigned = readdirSync(folder).filter((file) => !(file.replace('.patch', '') in planted));
if (unassigned.length > 0) throw new Error(`No checker is assigned to ${unassigned.join(', ')}.`);

const selected = Object.entries(planted).filter(([name]) => positionals.length === 0 || positionals.includes(name));
const outcomes: Outcome[] = [];
for (const [name, bug] of selected) {
  const output = await withPlanted(new URL(`${name}.patch`, folder), (copy) => runIn(copy, bug));
  const outcome = outcomeOf(output, bug);
  outcomes.push(outcome);
  if (outcome !== 'caught') console.log(output);
  console.log(`${name.padEnd(36)} ${bug.test.padEnd(18)} ${textOf[outcome](bug)}`);
}
const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
const unfinished = count('not finished');
console.log(
  `${count('caught')} of ${selected.length} planted bugs caught.${unfinished === 0 ? '' : ` ${unfinished} not finished.`}`,
);
if (count('caught') < selected.length) process.exitCode = 1;

function nameOf({ test, caughtBy }: Planted): string {
  return caughtBy instanceof RegExp ? `the output of ${test}` : caughtBy;
}

function runIn(cwd: string, { test }: Planted): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const args = ['--conditions=source', 'qa/faults/run.ts', test, '--quick', '--seed', '7'];
  execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (_, out, error) => resolve(out + error));
  return promise;
}
