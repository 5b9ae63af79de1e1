/**
 * `npm run qa` runs all fault tests in full, `npm run qa:smoke` the smoke version for the gate, `npm run qa -- kills --seed 42`
 * one test with that seed. `--smoke` selects the smoke version, `--keep` stores the report in qa/faults/results.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { awaitedEvents } from './until.ts';
import { inTestSuite, tests } from './tests/index.ts';
import type { Result, Size, Test, Verdict } from './tests/result.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    smoke: { type: 'boolean' },
    quick: { type: 'boolean' },
    keep: { type: 'boolean' },
    seed: { type: 'string' },
  },
});
/** A test that takes longer hangs. This is no evidence about the tested code, so it is no verdict. */
const hangMinutes: Record<Size, number> = { quick: 30, smoke: 30, full: 360 };
const size: Size = values.quick ? 'quick' : values.smoke ? 'smoke' : 'full';
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!Number.isInteger(seed) || positionals.some((name) => !(name in tests))) {
  console.error(`Usage: npm run qa -- [${Object.keys(tests).join(' | ')}] [--smoke] [--seed number] [--keep]`);
  process.exit(2);
}
/** The small tests spend much of their time waiting, so two share the machine. */
const atOnce: Record<Size, number> = { quick: 1, smoke: 2, full: 1 };
const waiting = Object.entries(tests)
  .filter(([name]) => isSelected(name))
  .values();
await Promise.all(Array.from({ length: atOnce[size] }, runUntilNoneIsLeft));

async function runUntilNoneIsLeft(): Promise<void> {
  for (const [name, test] of waiting) {
    const guard = setTimeout(() => giveUp(name), hangMinutes[size] * 60_000);
    if ((await run(name, test)) !== 'passed') process.exitCode = 1;
    clearTimeout(guard);
  }
}

/** The processes of the test end with this one. */
function giveUp(name: string): never {
  console.log(`${name} (${size}), seed ${seed}, ${hangMinutes[size] * 60} s: not finished`);
  for (const event of awaitedEvents()) console.log(`  Hangs, waiting until ${event}`);
  process.exit(1);
}

function isSelected(name: string): boolean {
  return positionals.length > 0 ? positionals.includes(name) : size === 'full' || !inTestSuite.includes(name);
}

/** Keeps the logs of a failed run. */
async function run(name: string, test: Test): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), `milepost-faults-${name}-`));
  const start = performance.now();
  const outcome = await test({ size, seed, folder });
  const seconds = Math.round((performance.now() - start) / 1000);
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const result: Result = { test: name, size, seed, at: new Date().toISOString(), machine, ...outcome };
  console.log(`${name} (${size}), seed ${seed}, ${seconds} s: ${result.verdict}`);
  for (const line of result.lines) console.log(`  ${line}`);
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(result, null, 2)}\n`);
  if (values.keep) await store(result);
  if (result.verdict === 'passed') await rm(folder, { recursive: true });
  else console.log(`  logs: ${folder}`);
  return result.verdict;
}

async function store(result: Result): Promise<void> {
  const results = new URL('./results/', import.meta.url);
  await mkdir(results, { recursive: true });
  const name = `${result.at.slice(0, 10)}-${result.test}-${result.size}-${result.seed}.json`;
  await writeFile(new URL(name, results), `${JSON.stringify(result, null, 2)}\n`);
}
