/** The server as operators run it: a process of its own, told by settings, ended by a signal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../src/bin/serve.ts', import.meta.url));

export interface ServerProcess {
  url: string;
  baseUrl: string;
  /** Bytes of memory that the process holds, as its own metrics tell. */
  memory: () => Promise<number>;
  metric: (name: string) => Promise<number>;
  /** Sends the signal and answers the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export async function startServerProcess(settings: Record<string, string>): Promise<ServerProcess> {
  const environment = { ...process.env, MILEPOST_PORT: '0', MILEPOST_METRICS_PORT: '0', MILEPOST_LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [...(await shippedFlags()), '--conditions=source', program], {
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const { url, metricsUrl } = await Promise.race([
    readAnnouncement(child.stdout),
    exited.then(([code]): never => {
      throw new Error(`the server ended with ${code} before it served`);
    }),
  ]);
  const metric = async (name: string) => {
    const text = await (await fetch(metricsUrl)).text();
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  };
  return {
    url,
    baseUrl: `${url}/api/v2`,
    metric,
    memory: () => metric('process_resident_memory_bytes'),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}

/** Those of the program's first line, which is how it is started. */
async function shippedFlags(): Promise<string[]> {
  const [firstLine = ''] = (await readFile(program, 'utf8')).split('\n', 1);
  return firstLine.split(' ').filter((word) => word.startsWith('--'));
}

async function readAnnouncement(output: NodeJS.ReadableStream): Promise<{ url: string; metricsUrl: string }> {
  for await (const line of createInterface({ input: output })) {
    const [, url, metricsUrl] = /serves at (\S+) \(metrics at (\S+)\)/.exec(line) ?? [];
    if (url !== undefined && metricsUrl !== undefined) return { url, metricsUrl };
  }
  throw new Error('the server did not say where it serves');
}
