/** A product that serves, and an account to use it with. */
import { basic, createClient, type Client } from '@milepost/api';
import type { StartedDev } from '../packages/milepost/testing/dev-process.ts';
import { patientFetch } from './patient-fetch.ts';

export interface Account {
  username: string;
  password: string;
}

export interface Address {
  url: string;
  account: Account;
}

export interface Served extends Address {
  /** Signed in as the account. */
  client: Client;
}

export function served({ url, account }: Address): Served {
  const authorization = basic(account.username, account.password);
  return { url, account, client: createClient({ baseUrl: `${url}/api/v2`, authorization, fetch: patientFetch }) };
}

/** What `milepost dev` announces, with the account it announced last: the administrator, or the coordinator of the demo. */
export function servedBy({ said }: StartedDev): Served {
  const url = /serves at (\S+)/.exec(said)?.[1] ?? '';
  const [, username = '', password = ''] = [...said.matchAll(/Username: (\S+) {2}Password: (\S+)/g)].at(-1) ?? [];
  return served({ url, account: { username, password } });
}
