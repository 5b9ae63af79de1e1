/** HTTP load by wrk, which takes little CPU from the server. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Done } from './sides.ts';

const run = promisify(execFile);

export interface HttpLoad {
  url: string;
  /** A Lua file of this folder. It prints the numbers of successful and failed requests and the microseconds. */
  script: string;
  connections: number;
  authorization: string;
  seconds: number;
}

/** Fails if more than about 1 % of the requests fail. */
export async function sendRequests(load: HttpLoad): Promise<Done> {
  const file = fileURLToPath(new URL(load.script, import.meta.url));
  const flags = ['-t', '1', '-c', String(load.connections), '-d', `${load.seconds}s`, '-s', file, load.url];
  const { stdout } = await run('wrk', flags, { env: { ...process.env, BENCH_AUTHORIZATION: load.authorization } });
  const [, succeeded = 0, failed = 0, microseconds = 0] = /^BENCH (\d+) (\d+) (\d+)$/m.exec(stdout)?.map(Number) ?? [];
  if (failed > succeeded / 100) throw new Error(`${failed} of ${succeeded + failed} requests failed:\n${stdout}`);
  return { operations: succeeded, seconds: microseconds / 1e6 };
}
