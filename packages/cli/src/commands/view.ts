import type { Client } from '@milepost/api/client';
import { defineCommand } from '../run/command.ts';
import { Failure } from '../run/failure.ts';
import { connect } from '../contexts/connect.ts';
import { findCohortId } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';
import { note } from '../output/write-output.ts';

const columns = ['id', 'name', 'query', 'sort', 'cohort.label', 'owner.name'];

export async function findView(client: Client, name: string): Promise<{ id: number; query: string; sort: string }> {
  for await (const view of client.readRows('listViews'))
    if (view['name'] === name) return view as { id: number; query: string; sort: string };
  throw new Failure('notFound', `There is no saved view \`${name}\`.`, 'See `milepost view list`.');
}

const list = defineCommand({
  path: 'view list',
  summary: 'list saved views; use one with `milepost experiment list --view NAME`',
  options: listOptions,
  examples: ['milepost view list'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    await printRows(listRows(client, 'listViews', {}, values.limit), values, { columns, plural: 'saved views' });
  },
});

const create = defineCommand({
  path: 'view create',
  summary: 'save a query under a name',
  args: [
    { name: 'name', about: 'name of the view' },
    { name: 'query', about: 'the query', repeated: true },
  ],
  options: {
    sort: { takes: 'NAME', about: 'order, such as -in-state' },
    cohort: { takes: 'COHORT', about: 'share the view with all users who can read this cohort' },
    ...outputOptions,
  },
  examples: [`milepost view create "Waiting for long" state:arrived 'in-state>3d' --sort -in-state`],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const body = {
      name: args.name,
      query: args.query.join(' '),
      ...(values.sort !== undefined && { sort: values.sort as 'id' }),
      ...(values.cohort !== undefined && { cohort_id: await findCohortId(client, values.cohort) }),
    };
    await printOne(await client.createView({ body }), values, columns);
  },
});

const remove = defineCommand({
  path: 'view delete',
  summary: 'delete a saved view',
  args: [{ name: 'name', about: 'name of the view' }],
  examples: ['milepost view delete "Waiting for long"'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const { id } = await findView(client, args.name);
    await client.deleteView({ params: { id } });
    note(`Deleted the view ${args.name}.`);
  },
});

export const viewCommands = [list, create, remove];
