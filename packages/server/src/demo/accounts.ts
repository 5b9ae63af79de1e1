/**
 * The accounts of the demo. The coordinator is for whoever tries it; three more belong to what the demo plays. Their
 * passwords are kept in a file beside the data, so that a later start can go on and say how to sign in.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { basic, createClient, ProblemError, type Client } from '@milepost/api';
import { SettingsError } from '../config.ts';

const roles = {
  importer: ['sample_add', 'sample_update', 'state_override', 'workflow_manage', 'config_manage'],
  rater: ['sample_state_update'],
  worker: ['worker_run'],
};

const played = {
  loader: { username: 'importer', name: 'Import from the spreadsheet', roles: ['importer'] },
  rater: { username: 'visser', name: 'Anna Visser', roles: ['rater'] },
  cluster: { username: 'cluster', name: 'Cluster', roles: ['worker'] },
};

type Played = keyof typeof played;
type Passwords = Record<Played, string>;

interface Kept extends Passwords {
  /** Absent where somebody else had made the account. */
  coordinator?: string;
}

const coordinatorName = 'coordinator';

export interface Accounts {
  /** Each as a client of its own. */
  clients: Record<Played, Client>;
  /** Where the demo made the account, and its password was not changed since. */
  coordinator: { username: string; password: string } | undefined;
}

export interface AccountsWanted {
  baseUrl: string;
  /** Where the passwords are kept. */
  file: string;
  /** Undefined where nobody has said the password of an administrator. */
  admin: { username: string; password: string } | undefined;
}

const newPassword = () => randomBytes(18).toString('base64url');

export async function ensureAccounts({ baseUrl, file, admin }: AccountsWanted): Promise<Accounts> {
  const clients = (passwords: Passwords) =>
    mapPlayed((one) => createClient({ baseUrl, authorization: basic(played[one].username, passwords[one]) }));
  const kept = await readKept(file);
  if (kept && (await maySignIn(clients(kept).loader))) {
    return { clients: clients(kept), coordinator: await knownCoordinator(baseUrl, kept) };
  }
  if (!admin) {
    throw new SettingsError(
      'The demo needs an administrator once, to make its accounts: set MILEPOST_ADMIN_PASSWORD to the password of yours, ' +
        `or begin afresh by deleting the folder ${dirname(file)}.`,
    );
  }
  const passwords = mapPlayed(newPassword);
  const client = createClient({ baseUrl, authorization: basic(admin.username, admin.password) });
  const coordinator = await makeAccounts(client, passwords);
  await mkdir(dirname(file), { recursive: true });
  const keep: Kept = { ...passwords, ...(coordinator && { coordinator: coordinator.password }) };
  await writeFile(file, JSON.stringify(keep), { mode: 0o600 });
  return { clients: clients(passwords), coordinator };
}

const mapPlayed = <T>(make: (one: Played) => T): Record<Played, T> => ({
  loader: make('loader'),
  rater: make('rater'),
  cluster: make('cluster'),
});

async function knownCoordinator(baseUrl: string, { coordinator: password }: Kept): Promise<Accounts['coordinator']> {
  if (password === undefined) return undefined;
  const client = createClient({ baseUrl, authorization: basic(coordinatorName, password) });
  return (await maySignIn(client)) ? { username: coordinatorName, password } : undefined;
}

async function readKept(file: string): Promise<Kept | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
}

async function maySignIn(client: Client): Promise<boolean> {
  try {
    await client.listCohorts({ query: { limit: 0 } });
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return false;
    throw error;
  }
}

/** JSON is YAML, too. */
const definition = (config: object) => ({ body: { config_definition: JSON.stringify(config) } });

async function makeAccounts(client: Client, passwords: Passwords): Promise<Accounts['coordinator']> {
  const users = Object.entries(played).map(([one, user]) => ({
    ...user,
    email: `${user.username}@example.org`,
    password: passwords[one as Played],
  }));
  await client.overwriteConfig(
    definition({ roles: Object.entries(roles).map(([name, permissions]) => ({ name, permissions })), users }),
  );
  const coordinator = { username: coordinatorName, password: newPassword() };
  const made = await client.importConfig(
    definition({
      users: [{ ...coordinator, name: 'Coordinator', email: 'coordinator@example.org', roles: ['superuser'] }],
    }),
  );
  return made.users.length > 0 ? coordinator : undefined;
}
