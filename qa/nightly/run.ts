/**
 * `npm run nightly`: what the gate leaves out, in stages. `-- --minutes 120` stops after two hours, `-- --fresh` forgets an
 * unfinished night, `-- --seed 42` repeats one. Called again on the same commit it continues. The logs are in `.nightly`, the
 * summary in qa/nightly/results.
 */
import { spawn, execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { readProgress, writeProgress, type Finished } from './progress.ts';
import { stages, type NightlyStage } from './stages.ts';
import { summaryOf } from './summary.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, fresh: { type: 'boolean' }, seed: { type: 'string' } },
});
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.nightly');
const linesKept = { passed: 12, failed: 60 };

if (values.fresh) rmSync(folder, { recursive: true, force: true });
const progress = readProgress(folder, {
  commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim(),
  seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
  started: new Date().toISOString(),
  finished: {},
});
console.log(`Commit ${progress.commit}, seed ${progress.seed}.`);

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
const timer = values.minutes && setTimeout(() => stop.abort(), Number(values.minutes) * 60_000);

for (const stage of stages.filter(({ name }) => !progress.finished[name])) {
  if (stop.signal.aborted) break;
  progress.interrupted = stage.name;
  keep();
  const result = await runStage(stage);
  if (!result) break;
  progress.finished[stage.name] = result;
  delete progress.interrupted;
  keep();
  console.log(`${stage.name}: ${result.verdict} after ${Math.round(result.seconds)} s`);
}
if (timer) clearTimeout(timer);
const open = stages.filter(({ name }) => !progress.finished[name]);
if (open.length > 0) console.log(`Not finished: ${open.map(({ name }) => name).join(', ')}. Run it again to continue.`);
if (Object.values(progress.finished).some(({ verdict }) => verdict === 'failed')) process.exitCode = 1;

function keep(): void {
  writeProgress(folder, progress);
  const results = join(root, 'qa/nightly/results');
  mkdirSync(results, { recursive: true });
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  writeFileSync(join(results, `${progress.started.slice(0, 10)}.md`), summaryOf(progress, stages, machine));
}

/** Undefined if it was stopped before it ended. */
async function runStage({ name, command, seedFlag }: NightlyStage): Promise<Finished | undefined> {
  const [program = '', ...words] = command;
  const seed = String(progress.seed);
  const started = performance.now();
  const log = createWriteStream(join(folder, `${name}.log`));
  const child = spawn(program, [...words, ...(seedFlag ? [seedFlag, seed] : [])], {
    cwd: root,
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      NO_COLOR: '1',
      MILEPOST_TEST_SEED: seed,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a stage is stopped with everything that it started.
    detached: true,
  });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM');
  stop.signal.addEventListener('abort', end, { once: true });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once('error', () => resolve(null));
  child.once('close', resolve);
  const code = await promise;
  stop.signal.removeEventListener('abort', end);
  if (stop.signal.aborted) return undefined;
  const verdict = code === 0 ? 'passed' : 'failed';
  return { verdict, seconds: (performance.now() - started) / 1000, lines: lastLines(name, linesKept[verdict]) };
}

function lastLines(name: string, count: number): string[] {
  const text = stripVTControlCharacters(readFileSync(join(folder, `${name}.log`), 'utf8'));
  return text.trimEnd().split('\n').slice(-count);
}
