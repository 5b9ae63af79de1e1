/** The installed package, started as people start it, with data of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { basic, createClient, type Client } from '@milepost/api';
import { inject } from 'vitest';
import { signalGroup, startDev, type StartedDev } from '../packages/milepost/testing/dev-process.ts';

export const npx = ['npx', '--no-install', 'milepost'] as const;

export interface Account {
  username: string;
  password: string;
}

export interface Product {
  url: string;
  databaseUrl: string;
  /** Whom it announced last: the administrator, or the coordinator of the demo. */
  account: Account;
  client: Client;
  /** As Ctrl-C in the terminal, until nothing of it runs any more. */
  stop: () => Promise<void>;
}

interface HowToStart {
  data: string;
  demo?: boolean;
}

export async function startProduct({ data, demo = false }: HowToStart): Promise<Product> {
  const folder = inject('installed');
  const words = ['--data', data, ...(demo ? ['--demo'] : [])];
  const dev = await startDev(folder, demo ? /Username: coordinator/ : /runs callbacks/, words, { command: npx });
  const account = announcedAccount(dev);
  const url = /serves at (\S+)/.exec(dev.said)?.[1] ?? '';
  const client = createClient({ baseUrl: `${url}/api/v2`, authorization: basic(account.username, account.password) });
  const read = (...path: string[]) => readFileSync(join(folder, data, ...path), 'utf8');
  const note = join(folder, data, 'data', 'postmaster.pid');
  return { url, databaseUrl: databaseUrlOf(read), account, client, stop: () => stop(dev, note) };
}

function announcedAccount({ said }: StartedDev): Account {
  const [, username = '', password = ''] = [...said.matchAll(/Username: (\S+) {2}Password: (\S+)/g)].at(-1) ?? [];
  return { username, password };
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
