import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { findCohortId } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';

const columns = ['id', 'label', 'description', 'external_urls'];
const cohort = { name: 'cohort', about: 'label or id of the cohort' } as const;
const description = { takes: 'TEXT', about: 'the description' } as const;

const list = defineCommand({
  path: 'cohort list',
  summary: 'list cohorts with their numbers of subjects and experiments',
  options: listOptions,
  examples: ['milepost cohort list', 'milepost cohort list -o csv --fields label,subjects'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    const rows = listRows(client, 'listCohortRows', {}, values.limit);
    const shown = ['id', 'label', 'subjects', 'withdrawn', 'experiments', 'last_activity'];
    await printRows(rows, values, { columns: shown, plural: 'cohorts' });
  },
});

const get = defineCommand({
  path: 'cohort get',
  summary: 'show a cohort',
  args: [cohort],
  options: outputOptions,
  examples: ['milepost cohort get memory-clinic'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = await findCohortId(client, args.cohort);
    await printOne(
      await client.getCohort({ params: { id }, fields: 'id,uri,label,description,external_urls' }),
      values,
      columns,
    );
  },
});

const create = defineCommand({
  path: 'cohort create',
  summary: 'create a cohort',
  args: [{ name: 'label', about: 'label of the new cohort' }],
  options: { description, ...outputOptions },
  examples: ['milepost cohort create outpatients --description "Recruited in 2026"'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const text = values.description === undefined ? {} : { description: values.description };
    await printOne(await client.createCohort({ body: { label: args.label, ...text } }), values, columns);
  },
});

const update = defineCommand({
  path: 'cohort update',
  summary: 'change a cohort',
  args: [cohort],
  options: { label: { takes: 'TEXT', about: 'the new label' }, description, ...outputOptions },
  examples: ['milepost cohort update memory-clinic --description "Recruited until 2027"'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = await findCohortId(client, args.cohort);
    const body = {
      ...(values.label !== undefined && { label: values.label }),
      ...(values.description !== undefined && { description: values.description }),
    };
    await printOne(
      await client.updateCohort({ params: { id }, body, fields: 'id,uri,label,description,external_urls' }),
      values,
      columns,
    );
  },
});

export const cohortCommands = [list, get, create, update];
