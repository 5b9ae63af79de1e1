/** Runs a program as operators do: in its own process, configured by environment variables and stopped by a signal. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { patientSeconds } from '../open-database.ts';

export interface ProgramProcess {
  pid: number;
  /** The output so far. */
  output: () => string;
  metric: (name: string) => Promise<number>;
  /** The resident memory in bytes, from the metrics of the process. */
  memory: () => Promise<number>;
  /** Resolves to the exit code, or to null if a signal ended the process. */
  ended: Promise<number | null>;
  /** Sends the signal without waiting. */
  signal: (signal: NodeJS.Signals) => void;
  /** Sends the signal and resolves to the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export interface Program {
  file: string;
  /** Flags for Node in addition to those in the first line of the file. */
  flags: readonly string[];
  args?: readonly string[];
  /** Instead of the defaults, for a release that does not know all of them. */
  settings?: Settings;
}

/** A program in `src/bin`, run from its source. */
export const sourceOf = (name: string): Program => ({
  file: fileURLToPath(new URL(`../../src/bin/${name}.ts`, import.meta.url)),
  flags: ['--conditions=source'],
});

type Settings = Readonly<Record<string, string>>;

const defaults = { MILEPOST_LOG_LEVEL: 'silent', MILEPOST_STATEMENT_SECONDS: String(patientSeconds) };

/** `readyPattern` matches the output of a ready process. Its last group is the URL of the metrics. */
export async function startProgram(
  program: Program,
  settings: Settings,
  readyPattern: RegExp,
): Promise<ProgramProcess & { matched: readonly string[] }> {
  const child = await launch(program, settings);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  killOnExit(child, exited);
  const { ready, output } = readOutput(child, readyPattern);
  const matched = await Promise.race([ready, exited.then(([code]) => throwEarlyExit(program, code, output()))]);
  const metric = async (name: string) => readMetric(await (await fetch(matched.at(-1) ?? '')).text(), name);
  return {
    pid: child.pid ?? 0,
    matched,
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

async function launch({ file, flags, args = [], settings: own = defaults }: Program, settings: Settings) {
  return spawn(process.execPath, [...(await shippedFlags(file)), ...flags, file, ...args], {
    env: { ...process.env, ...own, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function killOnExit(child: ChildProcess, exited: Promise<unknown>): void {
  // SIGKILL, because a stopped process does not handle other signals.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  void exited.then(() => process.off('exit', kill));
}

function throwEarlyExit({ file }: Program, code: number | null, output: string): never {
  throw new Error(`${file} exited with code ${code} before it was ready:\n${output}`);
}

async function shippedFlags(file: string): Promise<string[]> {
  const [firstLine = ''] = (await readFile(file, 'utf8')).split('\n', 1);
  return firstLine.split(' ').filter((word) => word.startsWith('--'));
}

/** Reads all output, because a full pipe would block the process. */
function readOutput({ stdout, stderr }: ChildProcess, readyPattern: RegExp) {
  const { promise: ready, resolve } = Promise.withResolvers<readonly string[]>();
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
      const found = readyPattern.exec(output);
      if (found) resolve(found.slice(1));
    });
  }
  return { ready, output: () => output };
}

/** The value of a metric such as `milepost_runs_total{outcome="stale"}`, or NaN if there is none with this name. */
function readMetric(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.slice(name.length + 1));
}
