/** Runs one stage in its own process group, with its output in a log file. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Finished } from './progress.ts';
import type { NightlyStage } from './stages.ts';

interface StageOptions {
  root: string;
  logFile: string;
  seed: number;
  signal: AbortSignal;
}

const linesKept = { passed: 12, failed: 60 };
const killAfterMs = 30_000;

/** Undefined if the stage was stopped before it ended. */
export async function runStage(stage: NightlyStage, options: StageOptions): Promise<Finished | undefined> {
  const started = performance.now();
  const code = await exitCodeOf(stage, options);
  if (options.signal.aborted) return undefined;
  const verdict = code === 0 ? 'passed' : 'failed';
  const seconds = (performance.now() - started) / 1000;
  return { verdict, seconds, lines: lastLines(options.logFile, linesKept[verdict]) };
}

async function exitCodeOf(stage: NightlyStage, options: StageOptions): Promise<number | null> {
  const log = createWriteStream(options.logFile);
  const child = start(stage, options);
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  const stop = () => stopGroup(child);
  options.signal.addEventListener('abort', stop, { once: true });
  const code = await once(child, 'close').then(
    ([exitCode]) => exitCode as number | null,
    (error: unknown) => (log.write(`${String(error)}\n`), null),
  );
  options.signal.removeEventListener('abort', stop);
  log.end();
  await finished(log);
  return code;
}

function start({ command, seedFlag, env }: NightlyStage, { root, seed }: StageOptions): ChildProcess {
  const [program = '', ...words] = command;
  return spawn(program, [...words, ...(seedFlag ? [seedFlag, String(seed)] : [])], {
    cwd: root,
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      NO_COLOR: '1',
      MILEPOST_TEST_SEED: String(seed),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** Asks the whole group to stop, and kills it if it does not. */
function stopGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), killAfterMs);
  child.once('close', () => clearTimeout(timer));
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The group may have ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function lastLines(file: string, count: number): string[] {
  const text = stripVTControlCharacters(readFileSync(file, 'utf8'));
  return text.trimEnd().split('\n').slice(-count);
}
