import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { findCohortId } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { listOptions, printRows } from '../output/print.ts';
import { note } from '../output/write-output.ts';
import { connectWithPassword, passwordOption } from './token.ts';

const args = [
  { name: 'user', about: 'username' },
  { name: 'role', about: 'name of the role' },
] as const;
const cohort = { takes: 'COHORT', about: 'only in this cohort' } as const;

const list = defineCommand({
  path: 'role list',
  summary: 'list roles with their permissions and numbers of users',
  options: listOptions,
  examples: ['milepost role list'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    const columns = ['id', 'name', 'users', 'permissions'];
    await printRows(listRows(client, 'listRoleRows', {}, values.limit), values, { columns, plural: 'roles' });
  },
});

const assign = defineCommand({
  path: 'role assign',
  summary: 'assign a role to a user',
  description: 'Asks for your password, because a token cannot assign roles.',
  args,
  options: { cohort, ...passwordOption },
  examples: ['milepost role assign importer superuser --cohort memory-clinic --password-stdin < password'],
  run: async (call) => {
    const client = await connectWithPassword(call, call.values['password-stdin']);
    const params = { username: call.args.user, role_name: call.args.role };
    if (call.values.cohort === undefined) await client.assignUserRole({ params });
    else
      await client.assignCohortRole({
        params: { ...params, cohort_id: await findCohortId(client, call.values.cohort) },
      });
    note(
      `${call.args.user} has the role ${call.args.role}${call.values.cohort === undefined ? '' : ` in ${call.values.cohort}`}.`,
    );
  },
});

const remove = defineCommand({
  path: 'role remove',
  summary: 'remove a role from a user',
  args,
  options: { cohort },
  examples: ['milepost role remove importer superuser --cohort memory-clinic'],
  run: async (call) => {
    const client = await connect(call);
    const params = { username: call.args.user, role_name: call.args.role };
    if (call.values.cohort === undefined) await client.removeUserRole({ params });
    else
      await client.removeCohortRole({
        params: { ...params, cohort_id: await findCohortId(client, call.values.cohort) },
      });
    note(
      `${call.args.user} no longer has the role ${call.args.role}${call.values.cohort === undefined ? '' : ` in ${call.values.cohort}`}.`,
    );
  },
});

export const roleCommands = [list, assign, remove];
