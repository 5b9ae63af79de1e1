/** The server as operators run it: a process of its own on a database that was migrated before. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface ServerProcess {
  url: string;
  /** What it wrote so far: its log. */
  output: () => string;
  /** Lets it end in order, and answers its exit code. */
  stop: () => Promise<number | null>;
}

const quiet = { MILEPOST_PORT: '0', MILEPOST_METRICS_PORT: '0', MILEPOST_LOG_LEVEL: 'error' };

/** `program` is what stands behind `node`: flags and a file. */
export async function startServerProcess(
  program: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const env = { ...process.env, ...quiet, ...settings };
  const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const endWithUs = () => void child.kill();
  process.once('exit', endWithUs);
  const written = collect(child);
  const url = await Promise.race([written.url, exited.then(([code]) => refuse(program, code, written.output()))]);
  return {
    url,
    output: written.output,
    stop: async () => {
      process.off('exit', endWithUs);
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

function refuse(program: readonly string[], code: number | null, output: string): never {
  throw new Error(`node ${program.join(' ')} ended with ${code} before it served:\n${output}`);
}

/** Reads on to the end: a pipe that nobody empties stops the process that fills it. */
function collect({ stdout, stderr }: ChildProcess) {
  const { promise: url, resolve } = Promise.withResolvers<string>();
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
      const [, found] = /serves at (\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  }
  return { url, output: () => output };
}
