/** A program of ours as operators run it: a process of its own, told by settings, ended by a signal. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface ProgramProcess {
  pid: number;
  /** What it wrote so far. */
  output: () => string;
  metric: (name: string) => Promise<number>;
  /** Bytes of memory that the process holds, as its own metrics tell. */
  memory: () => Promise<number>;
  /** The exit code, once it has ended, whoever ended it; null where a signal did. */
  ended: Promise<number | null>;
  /** Sends the signal, and waits for nothing. */
  signal: (signal: NodeJS.Signals) => void;
  /** Sends the signal and answers the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** A file, and what Node needs to run it beside the flags of its first line, which is how it is started. */
export interface Program {
  file: string;
  flags: readonly string[];
}

/** A program of `src/bin`, as it is written. */
export const sourceOf = (name: string): Program => ({
  file: fileURLToPath(new URL(`../src/bin/${name}.ts`, import.meta.url)),
  flags: ['--conditions=source'],
});

type Settings = Readonly<Record<string, string>>;

/** `announcement` matches what it says when it is ready; the last group is the address of its metrics. */
export async function startProgram(
  program: Program,
  settings: Settings,
  announcement: RegExp,
): Promise<ProgramProcess & { announced: readonly string[] }> {
  const child = await launch(program, settings);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  endWithUs(child, exited);
  const { said, output } = readOutput(child, announcement);
  const announced = await Promise.race([said, exited.then(([code]) => refuse(program, code, output()))]);
  const metric = async (name: string) => readMetric(await (await fetch(announced.at(-1) ?? '')).text(), name);
  return {
    pid: child.pid ?? 0,
    announced,
    output,
    metric,
    memory: () => metric('process_resident_memory_bytes'),
    ended: exited.then(([code]) => code),
    signal: (signal) => void child.kill(signal),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}

async function launch({ file, flags }: Program, settings: Settings) {
  return spawn(process.execPath, [...(await shippedFlags(file)), ...flags, file], {
    env: { ...process.env, MILEPOST_LOG_LEVEL: 'silent', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function endWithUs(child: ChildProcess, exited: Promise<unknown>): void {
  // Not by a signal that can be handled: a process that is stopped would handle it never.
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  void exited.then(() => process.off('exit', end));
}

function refuse({ file }: Program, code: number | null, output: string): never {
  throw new Error(`${file} ended with ${code} before it was ready:\n${output}`);
}

async function shippedFlags(file: string): Promise<string[]> {
  const [firstLine = ''] = (await readFile(file, 'utf8')).split('\n', 1);
  return firstLine.split(' ').filter((word) => word.startsWith('--'));
}

/** Reads on to the end: a pipe that nobody empties stops the process that fills it. */
function readOutput({ stdout, stderr }: ChildProcess, announcement: RegExp) {
  const { promise: said, resolve } = Promise.withResolvers<readonly string[]>();
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
      const found = announcement.exec(output);
      if (found) resolve(found.slice(1));
    });
  }
  return { said, output: () => output };
}

/** Such as `milepost_runs_total{outcome="stale"}`. Not a number where there is none of this name. */
function readMetric(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.slice(name.length + 1));
}
