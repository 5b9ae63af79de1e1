/** `login`, `logout`, `whoami`: a context has a token of its own, so that signing out on one machine affects no other. */
import { hostname } from 'node:os';
import { basic, bearer, type Client } from '@milepost/api/client';
import { defineCommand, type Environment } from '../run/command.ts';
import { Failure, usage } from '../run/failure.ts';
import { readContexts, writeContexts, contextFilePath, type Context } from '../contexts/context-file.ts';
import { apiUrl, chosenContext, clientFor, connect } from '../contexts/connect.ts';
import { wholeNumber } from '../contexts/find-object.ts';
import { ask, hasTerminal, readSecret } from '../contexts/prompt.ts';
import { readPassword } from '../contexts/read-password.ts';
import { outputOptions, printOne } from '../output/print.ts';
import { note } from '../output/write-output.ts';

const dayMs = 86_400_000;

interface SignIn {
  url: string;
  user: string | undefined;
  days: number;
  passwordStdin: boolean;
}

/** The server says where its API is. Without an answer, it is at the usual path. */
async function findApi(url: string): Promise<string> {
  const guess = apiUrl(url);
  if (!guess.startsWith(url.replace(/\/+$/, '')) || guess === url) return guess;
  const response = await fetch(`${new URL(guess).origin}/-/versions`);
  if (!response.ok) return guess;
  const { api_versions: versions } = (await response.json()) as { api_versions?: Record<string, string> };
  const path = versions?.['2.0'];
  return path === undefined ? guess : new URL(guess).origin + path;
}

const readUser = async (user: string | undefined): Promise<string> => {
  if (user !== undefined) return user;
  if (!hasTerminal()) throw usage('--user is required without a terminal.');
  return ask('Username or e-mail address: ');
};

async function createToken(signIn: SignIn, environment: Environment): Promise<Context> {
  const baseUrl = await findApi(signIn.url);
  const user = await readUser(signIn.user);
  const client = clientFor({
    baseUrl,
    authorization: basic(user, await readPassword(signIn.passwordStdin, environment)),
  });
  const session = await client.getSession();
  const held = await client.getUserPermissions({ params: { id: session.user.id } });
  const created = await client.createApiToken({
    params: { id: session.user.id },
    body: {
      name: `milepost on ${hostname()}`.slice(0, 255),
      permissions: heldPermissions(held),
      expires_at: new Date(Date.now() + signIn.days * dayMs).toISOString(),
    },
  });
  return toContext(baseUrl, session.user, created);
}

type Permissions = Parameters<Client['createApiToken']>[0]['body']['permissions'];

/** In all cohorts or in some. */
const heldPermissions = (held: Awaited<ReturnType<Client['getUserPermissions']>>): Permissions =>
  [...new Set([...held.permissions, ...held.cohort_permissions])] as Permissions;

const toContext = (
  url: string,
  user: { id: number; username: string },
  { id, token, expires_at }: { id: number; token: string; expires_at: string },
): Context => ({ url, token, token_id: id, user_id: user.id, username: user.username, expires_at });

/** For users without a password, who create a token on the page of their account. */
async function readToken({ url }: SignIn): Promise<Context> {
  const baseUrl = await findApi(url);
  const token = await readSecret();
  const { user, token: found } = await clientFor({ baseUrl, authorization: bearer(token) }).getSession();
  if (!found) throw usage('Standard input has no API token.', 'Create one on the page Your account.');
  return toContext(baseUrl, user, { id: found.id, token, expires_at: found.expires_at });
}

const login = defineCommand({
  path: 'login',
  summary: 'sign in to a server and save an API token',
  local: true,
  description:
    'Creates an API token with your permissions and saves it in a file that only you can read. If you sign in through single ' +
    'sign-on and have no password, create a token on the page of your account and use --token-stdin.',
  args: [{ name: 'url', about: 'the address of the server, such as https://milepost.example.org' }],
  options: {
    user: { takes: 'NAME', about: 'username or e-mail address' },
    'password-stdin': { about: 'read the password from standard input' },
    'token-stdin': { about: 'read an existing API token from standard input' },
    days: { takes: 'N', about: 'the token expires after this many days, at most 366 (default: 90)' },
    name: { takes: 'NAME', about: 'name of the context (default: the host name of the server)' },
  },
  examples: [
    'milepost login https://milepost.example.org',
    'milepost login https://milepost.example.org --user amina --password-stdin < password',
    'milepost login https://milepost.example.org --name study --token-stdin < token',
  ],
  run: async ({ args, values, environment }) => {
    const days = wholeNumber(values.days ?? '90', '--days');
    const signIn = { url: args.url, user: values.user, days, passwordStdin: values['password-stdin'] };
    // First, so that no token is created that cannot be saved.
    await readContexts(environment);
    const context = values['token-stdin'] ? await readToken(signIn) : await createToken(signIn, environment);
    const name = values.name ?? new URL(context.url).host;
    try {
      const { contexts } = await readContexts(environment);
      await writeContexts(environment, { current: name, contexts: { ...contexts, [name]: context } });
    } catch (error) {
      if (!values['token-stdin']) await revoke(context);
      throw error;
    }
    note(`Signed in as ${context.username} until ${context.expires_at.slice(0, 10)}. Context: ${name}.`);
    note(`The token is in ${contextFilePath(environment)}.`);
  },
});

const logout = defineCommand({
  path: 'logout',
  summary: 'revoke the saved API token and remove it',
  examples: ['milepost logout', 'milepost logout --context study'],
  run: async ({ values, environment }) => {
    const context = await chosenContext(environment, values.context);
    const { current, contexts } = await readContexts(environment);
    const [found = ''] = Object.entries(contexts).find(([, one]) => one.token === context.token) ?? [];
    const rest = Object.fromEntries(Object.entries(contexts).filter(([one]) => one !== found));
    const revoked = await revoke(context);
    await writeContexts(environment, { current: current === found ? null : current, contexts: rest });
    if (revoked) note(`Signed out of ${found}. The token is revoked.`);
    else
      throw new Failure(
        'unreachable',
        `Removed the token of ${found}, but the server did not confirm that it is revoked.`,
        `Revoke it on the page Your account. It expires on ${context.expires_at.slice(0, 10)}.`,
      );
  },
});

/** A token that has expired or was revoked is rejected, which is as good. */
async function revoke({ url, token, user_id, token_id }: Context): Promise<boolean> {
  const client = clientFor({ baseUrl: url, authorization: bearer(token) });
  try {
    await client.revokeApiToken({ params: { id: user_id, token_id } });
    return true;
  } catch (error) {
    return error instanceof Error && 'status' in error && error.status === 401;
  }
}

const whoami = defineCommand({
  path: 'whoami',
  summary: 'show your account, roles and permissions',
  options: outputOptions,
  examples: ['milepost whoami', 'milepost whoami -o json'],
  run: async ({ values, environment }) => {
    const session = await (await connect({ values, environment })).getSession();
    await printOne(session, values, [
      'study_name',
      'user.username',
      'user.email',
      'roles',
      'permissions',
      'token.name',
      'token.expires_at',
    ]);
  },
});

export const loginCommands = [login];
export const logoutCommands = [logout];
export const whoamiCommands = [whoami];
