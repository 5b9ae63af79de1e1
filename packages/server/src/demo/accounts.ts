/**
 * The accounts of the demo: the coordinator for its user, and three for what the demo simulates. A file in the data folder
 * stores the passwords, so that a later start can continue and print the coordinator's password again.
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

const simulated = {
  loader: { username: 'importer', name: 'Spreadsheet import', roles: ['importer'] },
  rater: { username: 'visser', name: 'Anna Visser', roles: ['rater'] },
  cluster: { username: 'cluster', name: 'Cluster', roles: ['worker'] },
};

type Simulated = keyof typeof simulated;
type Passwords = Record<Simulated, string>;

interface StoredPasswords extends Passwords {
  /** Undefined if the account existed before the demo. */
  coordinator?: string;
}

const coordinatorName = 'coordinator';

export interface Accounts {
  clients: Record<Simulated, Client>;
  /** Undefined if the demo did not create the account, or its password was changed. */
  coordinator: { username: string; password: string } | undefined;
}

export interface AccountsOptions {
  baseUrl: string;
  /** The file with the passwords. */
  file: string;
  /** Undefined if the password of an administrator is unknown. */
  admin: { username: string; password: string } | undefined;
  fetch: typeof fetch;
}

const newPassword = () => randomBytes(18).toString('base64url');

export async function ensureAccounts({ file, admin, ...server }: AccountsOptions): Promise<Accounts> {
  const clients = (passwords: Passwords) =>
    mapSimulated((one) => createClient({ ...server, authorization: basic(simulated[one].username, passwords[one]) }));
  const stored = await readPasswords(file);
  if (stored && (await canSignIn(clients(stored).loader))) {
    return { clients: clients(stored), coordinator: await knownCoordinator(server, stored) };
  }
  if (!admin) {
    throw new SettingsError(
      'The demo needs an administrator to create its accounts. Set MILEPOST_ADMIN_PASSWORD to the password of the first ' +
        `account, or delete the folder ${dirname(file)} to start over.`,
    );
  }
  const passwords = mapSimulated(newPassword);
  const client = createClient({ ...server, authorization: basic(admin.username, admin.password) });
  const coordinator = await createAccounts(client, passwords);
  await mkdir(dirname(file), { recursive: true });
  const content: StoredPasswords = { ...passwords, ...(coordinator && { coordinator: coordinator.password }) };
  await writeFile(file, JSON.stringify(content), { mode: 0o600 });
  return { clients: clients(passwords), coordinator };
}

const mapSimulated = <T>(create: (one: Simulated) => T): Record<Simulated, T> => ({
  loader: create('loader'),
  rater: create('rater'),
  cluster: create('cluster'),
});

async function knownCoordinator(
  server: Pick<AccountsOptions, 'baseUrl' | 'fetch'>,
  { coordinator: password }: StoredPasswords,
): Promise<Accounts['coordinator']> {
  if (password === undefined) return undefined;
  const client = createClient({ ...server, authorization: basic(coordinatorName, password) });
  return (await canSignIn(client)) ? { username: coordinatorName, password } : undefined;
}

async function readPasswords(file: string): Promise<StoredPasswords | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as StoredPasswords);
}

async function canSignIn(client: Client): Promise<boolean> {
  try {
    await client.listCohorts({ query: { limit: 0 } });
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return false;
    throw error;
  }
}

/** JSON is valid YAML. */
const definition = (config: object) => ({ body: { config_definition: JSON.stringify(config) } });

async function createAccounts(client: Client, passwords: Passwords): Promise<Accounts['coordinator']> {
  const users = Object.entries(simulated).map(([one, user]) => ({
    ...user,
    email: `${user.username}@example.org`,
    password: passwords[one as Simulated],
  }));
  await client.overwriteConfig(
    definition({ roles: Object.entries(roles).map(([name, permissions]) => ({ name, permissions })), users }),
  );
  const coordinator = { username: coordinatorName, password: newPassword() };
  const created = await client.importConfig(
    definition({
      users: [{ ...coordinator, name: 'Coordinator', email: 'coordinator@example.org', roles: ['superuser'] }],
    }),
  );
  return created.users.length > 0 ? coordinator : undefined;
}
