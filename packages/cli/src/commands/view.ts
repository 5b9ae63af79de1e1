import type { Client } from '@milepost/api/client';
import { defineCommand } from '../run/command.ts';
import { Failure } from '../run/failure.ts';
import { connect } from '../contexts/connect.ts';
import { findCohortId, isId } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';
import { visibleLine } from '../output/visible-text.ts';
import { note } from '../output/write-output.ts';

const columns = ['id', 'name', 'query', 'sort', 'cohort.label', 'owner.name'];

export interface FoundView {
  id: number;
  name: string;
  query: string;
  sort: string;
  owner: { id: number; name: string };
}

/** By id, or by name. Names are only unique for each owner. */
async function findViews(client: Client, text: string): Promise<FoundView[]> {
  const found: FoundView[] = [];
  for await (const row of client.readRows('listViews')) {
    const view = row as unknown as FoundView;
    if (isId(text) ? view.id === Number(text) : view.name === text) found.push(view);
  }
  if (found.length > 0) return found;
  throw new Failure('notFound', `There is no saved view \`${text}\`.`, 'See `milepost view list`.');
}

const ownerOf = ({ id, owner }: FoundView) => `${id} of ${owner.name}`;

/** The own view of this name, or the only shared one. */
export async function findView(client: Client, text: string): Promise<FoundView> {
  const views = await findViews(client, text);
  const [first, ...others] = views;
  if (first && others.length === 0) return first;
  const { user } = await client.getSession();
  const own = views.find(({ owner }) => owner.id === user.id);
  if (own) return own;
  throw new Failure(
    'conflict',
    `Several saved views have the name \`${text}\`.`,
    `Use an id: ${views.map(ownerOf).join(', ')}.`,
  );
}

/** A name finds only your own view, so that nobody deletes the view of a colleague by mistake. */
async function findViewToDelete(client: Client, text: string): Promise<FoundView> {
  const views = await findViews(client, text);
  const { user } = await client.getSession();
  const found = isId(text) ? views[0] : views.find(({ owner }) => owner.id === user.id);
  if (found) return found;
  throw new Failure(
    'notFound',
    `You have no saved view \`${text}\`.`,
    `Other users share views with this name: ${views.map(ownerOf).join(', ')}. To delete one, use its id.`,
  );
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
  args: [{ name: 'view', about: 'name of your view, or the id of any view' }],
  examples: ['milepost view delete "Waiting for long"'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const { id, name } = await findViewToDelete(client, args.view);
    await client.deleteView({ params: { id } });
    note(`Deleted the view ${visibleLine(name)}.`);
  },
});

export const viewCommands = [list, create, remove];
