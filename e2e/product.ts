/** Starts the installed package as a user would, with its own data folder. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { signalGroup, startDev, type StartedDev } from '../packages/milepost/testing/dev-process.ts';
import { connectToDev, type Connection } from './connection.ts';

export const npx = ['npx', '--no-install', 'milepost'] as const;

export interface Product extends Connection {
  databaseUrl: string;
  /** Sends Ctrl-C and waits until every process has ended. */
  stop: () => Promise<void>;
}

interface StartOptions {
  data: string;
  demo?: boolean;
  settings?: Readonly<Record<string, string>>;
}

/** `folder` is the folder with the installed package. */
export async function startProduct(
  folder: string,
  { data, demo = false, settings = {} }: StartOptions,
): Promise<Product> {
  const flags = ['--data', data, ...(demo ? ['--demo'] : [])];
  const lastLine = demo ? /Username: coordinator/ : /Worker \S+ is running/;
  const dev = await startDev(folder, lastLine, flags, { command: npx, settings });
  const read = (...path: string[]) => readFileSync(join(folder, data, ...path), 'utf8');
  const pidFile = join(folder, data, 'data', 'postmaster.pid');
  return { ...(await connectToDev(dev)), databaseUrl: databaseUrlOf(read), stop: () => stop(dev, pidFile) };
}

/** PostgreSQL writes its port to the fourth line of the pid file. */
function databaseUrlOf(read: (...path: string[]) => string): string {
  const port = read('data', 'postmaster.pid').split('\n')[3];
  return `postgresql://milepost_app:${read('password')}@127.0.0.1:${port}/milepost`;
}

/** npx may exit before the processes that it started. */
async function stop({ child }: StartedDev, pidFile: string): Promise<void> {
  await signalGroup(child, 'SIGINT');
  while (existsSync(pidFile)) await setTimeout(50);
}
