/** Starts `milepost dev` the way a terminal does: in its own folder and its own process group. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type Command = readonly [file: string, ...flags: string[]];

const program = fileURLToPath(new URL('../src/milepost.ts', import.meta.url));
const fromSources: Command = [process.execPath, '--conditions=source', program];

/** The command line that runs `milepost` from its sources. */
export const milepost = (...args: string[]): [file: string, flags: string[]] => {
  const [file, ...flags] = fromSources;
  return [file, [...flags, ...args]];
};

interface StartOptions {
  /** The command to run in place of `milepost`. */
  command?: Command;
  stderr?: 'inherit' | 'ignore' | 'read';
  settings?: Readonly<Record<string, string>>;
}

export interface DevFolder {
  path: string;
  remove: () => Promise<void>;
}

export async function createDevFolder(): Promise<DevFolder> {
  const path = await mkdtemp(join(tmpdir(), 'milepost-dev-'));
  // If root runs this, PostgreSQL runs under another account, which needs access to the folder.
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Long timeouts, so that a busy machine does not fail a test. */
const defaults = { MILEPOST_PORT: '0', MILEPOST_STATEMENT_SECONDS: '60' };

const inherited = (...names: string[]) => Object.fromEntries(names.map((name) => [name, process.env[name]]));

export function spawnDev(cwd: string, args: readonly string[] = [], options: StartOptions = {}) {
  const { command: [file, ...flags] = fromSources, stderr = 'inherit', settings = {} } = options;
  const child = spawn(file, [...flags, 'dev', ...args], {
    cwd,
    env: { ...inherited('PATH', 'HOME', 'NODE_COMPILE_CACHE'), ...defaults, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that a signal reaches all of its processes.
    detached: true,
  });
  if (stderr === 'inherit') child.stderr.pipe(process.stderr, { end: false });
  if (stderr === 'ignore') child.stderr.resume();
  // Leaves nothing running if a test fails halfway.
  const stopWithTests = () => void (child.pid && process.kill(-child.pid, 'SIGTERM'));
  process.once('exit', stopWithTests);
  child.once('exit', () => process.off('exit', stopWithTests));
  return child;
}

export interface StartedDev {
  child: ChildProcess;
  /** Its output up to the line that matched. */
  output: string;
  /** All lines it has printed so far. */
  lines: () => readonly string[];
}

/** Starts it and reads its output until a line matches `end`. */
export async function startDev(
  cwd: string,
  end: RegExp,
  args: readonly string[] = [],
  options: StartOptions = {},
): Promise<StartedDev> {
  const child = spawnDev(cwd, args, options);
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<StartedDev>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (end.test(line)) resolve({ child, output: lines.join('\n'), lines: () => lines });
  });
  child.once('exit', () => reject(new Error(`milepost dev exited early. Its output:\n${lines.join('\n')}`)));
  return promise;
}

/** The password of the first account, from the file that the output names. */
export async function firstPasswordIn(output: string): Promise<string> {
  const [, file = ''] = /Password file: (.+)/.exec(output) ?? [];
  return (await readFile(file, 'utf8')).trim();
}

/** Sends the signal to the whole process group, as a terminal does. Resolves to the exit code when all output has been read. */
export async function signalGroup(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const closed = once(child, 'close') as Promise<[number | null]>;
  process.kill(-(child.pid ?? 0), signal);
  return (await closed)[0];
}
