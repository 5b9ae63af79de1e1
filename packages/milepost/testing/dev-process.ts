/** `milepost dev` as people start it: in a folder of its own, in a group of processes as a terminal makes it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type Command = readonly [file: string, ...flags: string[]];

const program = fileURLToPath(new URL('../src/milepost.ts', import.meta.url));
const fromSources: Command = [process.execPath, '--conditions=source', program];

/** The program as it is written, for whoever starts it and waits. */
export const milepost = (...words: string[]): [file: string, flags: string[]] => {
  const [file, ...flags] = fromSources;
  return [file, [...flags, ...words]];
};

interface HowToStart {
  /** What stands for `milepost`. */
  command?: Command;
  complaints?: 'inherit' | 'ignore' | 'read';
  settings?: Readonly<Record<string, string>>;
}

export interface DevFolder {
  path: string;
  remove: () => Promise<void>;
}

export async function createDevFolder(): Promise<DevFolder> {
  const path = await mkdtemp(join(tmpdir(), 'milepost-dev-'));
  // Run by root, PostgreSQL is another account's, which must be able to enter.
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

const ofUs = (...names: string[]) => Object.fromEntries(names.map((name) => [name, process.env[name]]));

export function spawnDev(cwd: string, given: readonly string[] = [], more: HowToStart = {}) {
  const { command: [file, ...flags] = fromSources, complaints = 'inherit', settings = {} } = more;
  const child = spawn(file, [...flags, 'dev', ...given], {
    cwd,
    env: { ...ofUs('PATH', 'HOME', 'NODE_COMPILE_CACHE'), MILEPOST_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a signal reaches every process that is in it.
    detached: true,
  });
  if (complaints === 'inherit') child.stderr.pipe(process.stderr, { end: false });
  if (complaints === 'ignore') child.stderr.resume();
  // A test that fails in the middle leaves nothing running behind.
  const endWithUs = () => void (child.pid && process.kill(-child.pid, 'SIGTERM'));
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  return child;
}

export interface StartedDev {
  child: ChildProcess;
  /** What it has said, up to the line that was waited for. */
  said: string;
  /** Every line that it has said up to now. */
  lines: () => readonly string[];
}

/** Starts it and reads what it says until `end` stands in a line. */
export async function startDev(
  cwd: string,
  end: RegExp,
  given: readonly string[] = [],
  more: HowToStart = {},
): Promise<StartedDev> {
  const child = spawnDev(cwd, given, more);
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<StartedDev>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (end.test(line)) resolve({ child, said: lines.join('\n'), lines: () => lines });
  });
  child.once('exit', () => reject(new Error(`it ended early, having said:\n${lines.join('\n')}`)));
  return promise;
}

/** Sends it to the whole group, as a terminal does, and answers the exit code when its last word has been read. */
export async function signalGroup(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const closed = once(child, 'close') as Promise<[number | null]>;
  process.kill(-(child.pid ?? 0), signal);
  return (await closed)[0];
}
