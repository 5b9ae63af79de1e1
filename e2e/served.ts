/** What `milepost dev` announces: where it serves, and to whom. */
import { basic, createClient, type Client } from '@milepost/api';
import type { StartedDev } from '../packages/milepost/testing/dev-process.ts';
import { patientFetch } from './patient-fetch.ts';

export interface Account {
  username: string;
  password: string;
}

export interface Served {
  url: string;
  /** Whom it announced last: the administrator, or the coordinator of the demo. */
  account: Account;
  client: Client;
}

export function servedBy({ said }: StartedDev): Served {
  const url = /serves at (\S+)/.exec(said)?.[1] ?? '';
  const [, username = '', password = ''] = [...said.matchAll(/Username: (\S+) {2}Password: (\S+)/g)].at(-1) ?? [];
  const client = createClient({
    baseUrl: `${url}/api/v2`,
    authorization: basic(username, password),
    fetch: patientFetch,
  });
  return { url, account: { username, password }, client };
}
