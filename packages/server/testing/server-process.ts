/** The server as operators run it: a process of its own, told by settings, ended by a signal. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface ServerProcess {
  url: string;
  baseUrl: string;
  /** What it wrote so far. */
  output: () => string;
  /** Bytes of memory that the process holds, as its own metrics tell. */
  memory: () => Promise<number>;
  metric: (name: string) => Promise<number>;
  /** Sends the signal and answers the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** A file, and what Node needs to run it beside the flags of its first line, which is how it is started. */
export interface Program {
  file: string;
  flags: readonly string[];
}

const sources: Program = {
  file: fileURLToPath(new URL('../src/bin/serve.ts', import.meta.url)),
  flags: ['--conditions=source'],
};

const quiet = { MILEPOST_PORT: '0', MILEPOST_METRICS_PORT: '0', MILEPOST_LOG_LEVEL: 'silent' };

export async function startServerProcess(
  settings: Readonly<Record<string, string>>,
  program = sources,
): Promise<ServerProcess> {
  const { file, flags } = program;
  const child = spawn(process.execPath, [...(await shippedFlags(file)), ...flags, file], {
    env: { ...process.env, ...quiet, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const endWithUs = () => void child.kill();
  process.once('exit', endWithUs);
  void exited.then(() => process.off('exit', endWithUs));
  const { announced, output } = readOutput(child);
  const { url, metricsUrl } = await Promise.race([announced, exited.then(([code]) => refuse(code, output()))]);
  const metric = async (name: string) => {
    const text = await (await fetch(metricsUrl)).text();
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  };
  return {
    url,
    baseUrl: `${url}/api/v2`,
    output,
    metric,
    memory: () => metric('process_resident_memory_bytes'),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}

function refuse(code: number | null, output: string): never {
  throw new Error(`the server ended with ${code} before it served:\n${output}`);
}

async function shippedFlags(file: string): Promise<string[]> {
  const [firstLine = ''] = (await readFile(file, 'utf8')).split('\n', 1);
  return firstLine.split(' ').filter((word) => word.startsWith('--'));
}

/** Reads on to the end: a pipe that nobody empties stops the process that fills it. */
function readOutput({ stdout, stderr }: ChildProcess) {
  const { promise: announced, resolve } = Promise.withResolvers<{ url: string; metricsUrl: string }>();
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
      const [, url, metricsUrl] = /serves at (\S+) \(metrics at (\S+)\)/.exec(output) ?? [];
      if (url !== undefined && metricsUrl !== undefined) resolve({ url, metricsUrl });
    });
  }
  return { announced, output: () => output };
}
