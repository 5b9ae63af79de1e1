import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { findUserId } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';

const columns = ['id', 'username', 'name', 'email', 'active'];
const user = { name: 'user', about: 'username or id of the user, or me' } as const;
const name = { takes: 'TEXT', about: 'full name' } as const;

const list = defineCommand({
  path: 'user list',
  summary: 'list users with their roles',
  options: {
    find: { takes: 'TEXT', about: 'only users whose name, username or e-mail address contains this text' },
    ...listOptions,
  },
  examples: ['milepost user list', 'milepost user list --find amina -o json'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    const rows = listRows(client, 'listUserRows', { query: { find: values.find } }, values.limit);
    await printRows(rows, values, { columns: [...columns, 'kind', 'last_sign_in_at'], plural: 'users' });
  },
});

const get = defineCommand({
  path: 'user get',
  summary: 'show a user',
  args: [user],
  options: outputOptions,
  examples: ['milepost user get amina'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = await findUserId(client, args.user);
    await printOne(await client.getUser({ params: { id } }), values, columns);
  },
});

const create = defineCommand({
  path: 'user create',
  summary: 'create an account without a password',
  description:
    'The user sets a password with a reset link or signs in through single sign-on. Without both, it is a service account for API tokens.',
  args: [
    { name: 'username', about: 'username' },
    { name: 'email', about: 'e-mail address' },
  ],
  options: { name, 'no-cohorts': { about: 'no access until a role is assigned' }, ...outputOptions },
  examples: ['milepost user create importer importer@example.org --name "Nightly import"'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const body = {
      username: args.username,
      email: args.email,
      ...(values.name !== undefined && { name: values.name }),
      ...(values['no-cohorts'] && { all_cohorts: false }),
    };
    await printOne(await client.createUser({ body }), values, columns);
  },
});

const update = defineCommand({
  path: 'user update',
  summary: 'change the name of a user, or deactivate the account',
  args: [user],
  options: {
    name,
    active: { takes: 'yes|no', choices: ['yes', 'no'], about: 'no deactivates the account and revokes its tokens' },
    ...outputOptions,
  },
  examples: ['milepost user update importer --active no'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const body = {
      ...(values.name !== undefined && { name: values.name }),
      ...(values.active !== undefined && { active: values.active === 'yes' }),
    };
    const id = await findUserId(client, args.user);
    await printOne(await client.updateUser({ params: { id }, body }), values, columns);
  },
});

export const userCommands = [list, get, create, update];
