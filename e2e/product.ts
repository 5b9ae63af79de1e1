/** The installed package, started as people start it, with data of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { signalGroup, startDev, type StartedDev } from '../packages/milepost/testing/dev-process.ts';
import { servedBy, type Served } from './served.ts';

export const npx = ['npx', '--no-install', 'milepost'] as const;

export interface Product extends Served {
  databaseUrl: string;
  /** As Ctrl-C in the terminal, until nothing of it runs any more. */
  stop: () => Promise<void>;
}

interface HowToStart {
  data: string;
  demo?: boolean;
  settings?: Readonly<Record<string, string>>;
}

/** `folder` is where the package was installed. */
export async function startProduct(
  folder: string,
  { data, demo = false, settings = {} }: HowToStart,
): Promise<Product> {
  const words = ['--data', data, ...(demo ? ['--demo'] : [])];
  const end = demo ? /Username: coordinator/ : /runs callbacks/;
  const dev = await startDev(folder, end, words, { command: npx, settings });
  const read = (...path: string[]) => readFileSync(join(folder, data, ...path), 'utf8');
  const note = join(folder, data, 'data', 'postmaster.pid');
  return { ...servedBy(dev), databaseUrl: databaseUrlOf(read), stop: () => stop(dev, note) };
}

/** PostgreSQL notes its port in the fourth line. */
function databaseUrlOf(read: (...path: string[]) => string): string {
  const port = read('data', 'postmaster.pid').split('\n')[3];
  return `postgresql://milepost_app:${read('password')}@127.0.0.1:${port}/milepost`;
}

/** npx may be gone before what it started. */
async function stop({ child }: StartedDev, note: string): Promise<void> {
  await signalGroup(child, 'SIGINT');
  while (existsSync(note)) await setTimeout(50);
}
