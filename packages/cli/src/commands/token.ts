import type { Client } from '@milepost/api/client';
import { basic } from '@milepost/api/client';
import { defineCommand, type Environment } from '../run/command.ts';
import { connect, clientFor, findConnection } from '../contexts/connect.ts';
import { findUserId, wholeNumber } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { readPassword } from '../contexts/read-password.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';
import { flushOutput, note, writeOutput } from '../output/write-output.ts';

const columns = ['id', 'name', 'permissions', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'];
const user = { takes: 'USER', about: 'username or id of the owner (default: your account)' } as const;
const dayMs = 86_400_000;

/** API tokens cannot create tokens or import configurations: these commands sign in with the password for one request. */
export async function connectWithPassword(
  chosen: { environment: Environment; values: { readonly context?: unknown } },
  fromStdin: boolean,
): Promise<Client> {
  const connection = await findConnection(chosen);
  const { username } = (await clientFor(connection).getSession()).user;
  const password = await readPassword(fromStdin, chosen.environment);
  return clientFor({ ...connection, authorization: basic(username, password) });
}

export const passwordOption = { 'password-stdin': { about: 'read your password from standard input' } } as const;

const list = defineCommand({
  path: 'token list',
  summary: 'list API tokens',
  options: { user, ...listOptions },
  examples: ['milepost token list'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    const id = await findUserId(client, values.user ?? 'me');
    await printRows(listRows(client, 'listApiTokens', { params: { id } }, values.limit), values, {
      columns,
      plural: 'API tokens',
    });
  },
});

const create = defineCommand({
  path: 'token create',
  summary: 'create an API token for a program',
  description:
    'Prints the token, which is shown only once. Asks for your password, because a token cannot create tokens.',
  args: [{ name: 'name', about: 'what the token is for' }],
  options: {
    permission: {
      takes: 'NAME',
      repeated: true,
      about: 'a permission of the token, such as sample_add (default: user_read)',
    },
    days: { takes: 'N', about: 'the token expires after this many days, at most 366 (default: 90)' },
    user,
    ...passwordOption,
    output: { short: 'o', takes: 'FORMAT', choices: ['text', 'json'], about: 'text prints only the token' },
  },
  examples: ['milepost token create "Nightly import" --permission sample_add --days 30 --password-stdin < password'],
  run: async ({ args, values, environment }) => {
    const client = await connectWithPassword({ values, environment }, values['password-stdin']);
    const days = wholeNumber(values.days ?? '90', '--days');
    const names = values.permission.length === 0 ? ['user_read'] : values.permission;
    const made = await client.createApiToken({
      params: { id: await findUserId(client, values.user ?? 'me') },
      body: {
        name: args.name,
        permissions: [...names] as Permissions,
        expires_at: new Date(Date.now() + days * dayMs).toISOString(),
      },
    });
    await writeOutput(values.output === 'json' ? `${JSON.stringify(made, null, 2)}\n` : `${made.token}\n`);
    await flushOutput();
    note(`The token has the id ${made.id} and expires on ${made.expires_at.slice(0, 10)}. It is shown only once.`);
  },
});

type Permissions = Parameters<Client['createApiToken']>[0]['body']['permissions'];

const revoke = defineCommand({
  path: 'token revoke',
  summary: 'revoke an API token',
  args: [{ name: 'token', about: 'id of the token' }],
  options: { user, ...outputOptions },
  examples: ['milepost token revoke 1'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const params = { id: await findUserId(client, values.user ?? 'me'), token_id: wholeNumber(args.token, 'TOKEN') };
    await printOne(await client.revokeApiToken({ params }), values, columns);
  },
});

export const tokenCommands = [list, create, revoke];
