/**
 * `npm run nightly`: the tests, fault runs and benchmarks that the gate leaves out, in stages.
 *   -- --minutes 120      stops after two hours
 *   -- --stage race       runs only this stage; may be repeated
 *   -- --seed 42          uses this seed instead of a random one
 *   -- --fresh            starts again instead of continuing
 * Run again on the same commit, it continues where it stopped. Logs are in `.nightly`, the summary in qa/nightly/results.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readProgress, writeProgress } from './progress.ts';
import { runStage } from './run-stage.ts';
import { stages, stagesNamed } from './stages.ts';
import { summaryOf } from './summary.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    stage: { type: 'string', multiple: true },
    seed: { type: 'string' },
    fresh: { type: 'boolean' },
  },
});
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.nightly');
const chosen = stagesNamed(values.stage);

if (values.fresh) rmSync(folder, { recursive: true, force: true });
const progress = readProgress(folder, {
  commit: commitOf(root),
  seed: numberOf('seed', values.seed) ?? Math.floor(Math.random() * 2 ** 31),
  started: new Date().toISOString(),
  finished: {},
});
console.log(`Commit ${progress.commit}, seed ${progress.seed}.`);

const minutes = numberOf('minutes', values.minutes);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
const timer = minutes === undefined ? undefined : setTimeout(() => stop.abort(), minutes * 60_000);

for (const stage of chosen.filter(({ name }) => !progress.finished[name])) {
  if (stop.signal.aborted) break;
  progress.interrupted = stage.name;
  save();
  const logFile = join(folder, `${stage.name}.log`);
  const result = await runStage(stage, { root, logFile, seed: progress.seed, signal: stop.signal });
  if (!result) break;
  progress.finished[stage.name] = result;
  delete progress.interrupted;
  save();
  console.log(`${stage.name}: ${result.verdict} after ${Math.round(result.seconds)} s`);
}
clearTimeout(timer);
const open = chosen.filter(({ name }) => !progress.finished[name]);
if (open.length > 0) console.log(`Not finished: ${open.map(({ name }) => name).join(', ')}. Run it again to continue.`);
if (Object.values(progress.finished).some(({ verdict }) => verdict === 'failed')) process.exitCode = 1;

function save(): void {
  writeProgress(folder, progress);
  const results = join(root, 'qa/nightly/results');
  mkdirSync(results, { recursive: true });
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const shown = stages.filter((stage) => chosen.includes(stage) || progress.finished[stage.name]);
  // The summary is committed, so it names no path of this machine.
  const summary = summaryOf(progress, shown, machine).replaceAll(root, '');
  const name = `${progress.started.slice(0, 10)}-${progress.commit}-${progress.seed}.md`;
  writeFileSync(join(results, name), summary);
  writeFileSync(join(folder, 'summary.md'), summary);
}

function commitOf(cwd: string): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? '-changed' : ''}`;
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`--${option} must be a whole number, not "${text}".`);
  return number;
}
