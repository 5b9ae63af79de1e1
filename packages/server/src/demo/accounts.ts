/**
 * The accounts of the demo: the coordinator for its user, a reviewer with a password, and two service accounts for the programs
 * that the demo simulates. A file in the data folder stores the passwords and tokens, so that a later start can continue and
 * print the coordinator's password again.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { basic, bearer, createClient, ProblemError, tokenPrefix, type Client, type Permission } from '@milepost/api';
import { SettingsError } from '../config.ts';
import { scantypes } from './study.ts';

interface Role {
  name: string;
  permissions: Permission[];
}

const raterRole: Role = { name: 'rater', permissions: ['sample_state_update'] };

const rater = { username: 'visser', name: 'Anna Visser', email: 'visser@example.org', roles: [raterRole.name] };

/** Service accounts, each with a role of its own. */
const serviceAccounts = {
  loader: {
    username: 'importer',
    name: 'Spreadsheet import',
    role: {
      name: 'importer',
      permissions: ['sample_add', 'sample_update', 'state_override', 'workflow_manage', 'config_manage'],
    },
  },
  cluster: { username: 'cluster', name: 'Cluster', role: { name: 'worker', permissions: ['worker_run'] } },
} as const satisfies Record<string, { username: string; name: string; role: Role }>;

type ServiceAccount = keyof typeof serviceAccounts;
type Simulated = ServiceAccount | 'rater';

const usernames = {
  rater: rater.username,
  loader: serviceAccounts.loader.username,
  cluster: serviceAccounts.cluster.username,
};

/** A password, or a token. Earlier versions stored passwords only. */
type Credentials = Record<Simulated, string>;

interface StoredCredentials extends Credentials {
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
  /** The file with the passwords and tokens. */
  file: string;
  /** Undefined if the password of an administrator is unknown. */
  admin: { username: string; password: string } | undefined;
  fetch: typeof fetch;
}

const newPassword = () => randomBytes(18).toString('base64url');

export async function ensureAccounts({ file, admin, ...server }: AccountsOptions): Promise<Accounts> {
  const stored = await readCredentials(file);
  const known = stored && (await knownCoordinator(server, stored));
  const valid = stored ? await validCredentials(server, stored) : {};
  if (stored && valid.loader !== undefined && valid.cluster !== undefined) {
    return { clients: createClients(server, stored), coordinator: known };
  }
  if (!admin) throw needsAdministrator(file, stored !== undefined);
  const client = createClient({ ...server, authorization: basic(admin.username, admin.password) });
  const password = newPassword();
  const coordinator = (await createUsers(client, password)) ?? known;
  const credentials = { rater: password, ...(await ensureTokens(client, valid)) };
  await storeCredentials(file, { ...credentials, ...(coordinator && { coordinator: coordinator.password }) });
  return { clients: createClients(server, credentials), coordinator };
}

const needsAdministrator = (file: string, isKnown: boolean) =>
  new SettingsError(
    (isKnown
      ? 'A token of the demo is invalid, for example because it expired or was revoked. Only an administrator can replace it. '
      : 'The demo needs an administrator to create its accounts. ') +
      `Set MILEPOST_ADMIN_PASSWORD to the password of the first account, or delete the folder ${dirname(file)} to start over.`,
  );

type Server = Pick<AccountsOptions, 'baseUrl' | 'fetch'>;

const createClients = (server: Server, credentials: Credentials) =>
  mapSimulated((one) => createClient({ ...server, authorization: authorization(usernames[one], credentials[one]) }));

/** Of the service accounts. A token can have expired or been revoked. */
async function validCredentials(server: Server, stored: Credentials): Promise<Partial<Record<ServiceAccount, string>>> {
  const { loader, cluster } = createClients(server, stored);
  return {
    ...((await canSignIn(loader)) && { loader: stored.loader }),
    ...((await canSignIn(cluster)) && { cluster: stored.cluster }),
  };
}

const ensureTokens = async (client: Client, valid: Partial<Record<ServiceAccount, string>>) => ({
  loader: valid.loader ?? (await createServiceAccountToken(client, 'loader')),
  cluster: valid.cluster ?? (await createServiceAccountToken(client, 'cluster')),
});

const authorization = (username: string, credential: string): string =>
  credential.startsWith(tokenPrefix) ? bearer(credential) : basic(username, credential);

const mapSimulated = <T>(create: (one: Simulated) => T): Record<Simulated, T> => ({
  loader: create('loader'),
  rater: create('rater'),
  cluster: create('cluster'),
});

async function knownCoordinator(
  server: Server,
  { coordinator: password }: StoredCredentials,
): Promise<Accounts['coordinator']> {
  if (password === undefined) return undefined;
  const client = createClient({ ...server, authorization: basic(coordinatorName, password) });
  return (await canSignIn(client)) ? { username: coordinatorName, password } : undefined;
}

async function readCredentials(file: string): Promise<StoredCredentials | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as StoredCredentials);
}

async function storeCredentials(file: string, content: StoredCredentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content), { mode: 0o600 });
}

async function canSignIn(client: Client): Promise<boolean> {
  try {
    await client.getSession();
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return false;
    throw error;
  }
}

/** JSON is valid YAML. */
const definition = (config: object) => ({ body: { config_definition: JSON.stringify(config) } });

/** An API token cannot send a configuration with users. */
async function createUsers(client: Client, password: string): Promise<Accounts['coordinator']> {
  const roles = [raterRole, ...Object.values(serviceAccounts).map(({ role }) => role)];
  await client.overwriteConfig(definition({ roles, scantypes, users: [{ ...rater, password }] }));
  const coordinator = { username: coordinatorName, password: newPassword() };
  const created = await client.importConfig(
    definition({
      users: [{ ...coordinator, name: 'Coordinator', email: 'coordinator@example.org', roles: ['superuser'] }],
    }),
  );
  return created.users.length > 0 ? coordinator : undefined;
}

/** A year, which is nearly as long as a token can be valid. */
const tokenMilliseconds = 365 * 86_400_000;

const tokenName = 'Demo';

/** Creates the account if it does not exist. Tokens of earlier starts are revoked. */
async function createServiceAccountToken(client: Client, account: ServiceAccount): Promise<string> {
  const { username, name, role } = serviceAccounts[account];
  const { users } = await client.listUsers();
  const known = users.find((user) => user.username === username);
  const body = {
    username,
    name,
    email: `${username}@example.org`,
    roles: [{ role_name: role.name, cohort_ids: null }],
  };
  const { id } = known ?? (await client.createUser({ body }));
  await revokeTokens(client, id);
  const expires_at = new Date(Date.now() + tokenMilliseconds).toISOString();
  const { token } = await client.createApiToken({
    params: { id },
    body: { name: tokenName, permissions: [...role.permissions], expires_at },
  });
  return token;
}

async function revokeTokens(client: Client, id: number): Promise<void> {
  const { tokens } = await client.listApiTokens({ params: { id } });
  const isActive = (token: (typeof tokens)[number]) =>
    token.name === tokenName && token.revoked_at === null && Date.parse(token.expires_at) > Date.now();
  for (const { id: token_id } of tokens.filter(isActive)) await client.revokeApiToken({ params: { id, token_id } });
}
