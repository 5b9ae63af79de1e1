/** A running product, with an account and a client to use it. */
import { basic, createClient, type Client } from '@milepost/api';
import { firstPasswordIn, type StartedDev } from '../packages/milepost/testing/dev-process.ts';
import { fetchWithRetry } from './fetch-with-retry.ts';

export interface Account {
  username: string;
  password: string;
}

export interface Address {
  url: string;
  account: Account;
}

export interface Connection extends Address {
  /** Authenticated as the account. */
  client: Client;
}

export function connect({ url, account }: Address): Connection {
  const authorization = basic(account.username, account.password);
  return { url, account, client: createClient({ baseUrl: `${url}/api/v2`, authorization, fetch: fetchWithRetry }) };
}

/** Reads the URL and the account from the output: the coordinator of the demo, or else the administrator. */
export async function connectToDev({ output }: StartedDev): Promise<Connection> {
  const url = /running at (\S+)/.exec(output)?.[1] ?? '';
  const [, username, password] = /Username: (coordinator) {2}Password: (\S+)/.exec(output) ?? [];
  return username === undefined || password === undefined
    ? connect({ url, account: { username: 'admin', password: await firstPasswordIn(output) } })
    : connect({ url, account: { username, password } });
}
