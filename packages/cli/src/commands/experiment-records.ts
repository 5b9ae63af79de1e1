/** `experiment list`, `get`, `create` and `update`. */
import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { findExperimentId, findSubjectId } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';
import { findView } from './view.ts';

const columns = ['id', 'label', 'subject.label', 'state.label', 'scandate', 'external_ids', 'variable_map'];
const experiment = { name: 'experiment', about: 'id or label of the experiment' } as const;

const list = defineCommand({
  path: 'experiment list',
  summary: 'list the experiments that match a query',
  description:
    'The query language is that of the page Experiments (docs/reference/queries.md). Without a query, lists all experiments.',
  args: [{ name: 'query', about: 'terms such as state:visual_qc in-state>3d', optional: true, repeated: true }],
  options: {
    sort: { takes: 'NAME', about: 'order, such as label or -in-state' },
    view: { takes: 'NAME', about: 'use the query of this saved view' },
    ...listOptions,
  },
  examples: [
    'milepost experiment list state:arrived',
    `milepost experiment list 'cohort:memory-clinic in-state>3d' --sort -in-state -o csv`,
    'milepost experiment list --fields label,state.label,external_ids.XNAT',
  ],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const view = values.view === undefined ? { query: '', sort: 'id' } : await findView(client, values.view);
    const q = [view.query, ...args.query].filter(Boolean).join(' ');
    const query = { q, sort: values.sort ?? view.sort, columns: values.fields && withId(values.fields) };
    const rows = listRows(client, 'searchExperiments', { query }, values.limit);
    const shown = ['id', 'label', 'subject.label', 'cohort.label', 'workflow.label', 'state.label', 'entered_at'];
    await printRows(rows, values, { columns: shown, plural: 'experiments match' });
  },
});

/** Variables are only in the response if they are named, and `-o ids` needs the id. */
const withId = (fields: string) => (fields.split(',').includes('id') ? fields : `id,${fields}`);

const get = defineCommand({
  path: 'experiment get',
  summary: 'show an experiment with its state and variables',
  args: [experiment],
  options: outputOptions,
  examples: ['milepost experiment get MC-0041-baseline', 'milepost experiment get 1 -o json'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = await findExperimentId(client, args.experiment);
    await printOne(await client.getExperiment({ params: { id } }), values, columns);
  },
});

const scanned = { takes: 'DATE', about: 'scan date or time, such as 2026-02-17T10:30' } as const;

const create = defineCommand({
  path: 'experiment create',
  summary: 'create an experiment in the initial state of its workflow',
  args: [{ name: 'label', about: 'label of the new experiment' }],
  options: {
    subject: { takes: 'SUBJECT', about: 'COHORT/SUBJECT with their labels, or the id', required: true },
    workflow: { takes: 'LABEL', about: 'label of the workflow (default: the newest)' },
    scandate: scanned,
    ...outputOptions,
  },
  examples: ['milepost experiment create MC-0041-followup --subject memory-clinic/MC-0041 --workflow brain_mri'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const body = {
      label: args.label,
      subject_id: await findSubjectId(client, values.subject),
      ...(values.workflow !== undefined && { workflow_label: values.workflow }),
      ...(values.scandate !== undefined && { scandate: values.scandate }),
    };
    await printOne(await client.createExperiment({ body }), values, columns);
  },
});

const update = defineCommand({
  path: 'experiment update',
  summary: 'change the label, scan date or subject of an experiment',
  args: [experiment],
  options: {
    label: { takes: 'TEXT', about: 'the new label' },
    subject: { takes: 'SUBJECT', about: 'COHORT/SUBJECT with their labels, or the id' },
    scandate: scanned,
    ...outputOptions,
  },
  examples: ['milepost experiment update MC-0041-baseline --scandate 2026-02-17T10:30:00'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = await findExperimentId(client, args.experiment);
    const body = {
      ...(values.label !== undefined && { label: values.label }),
      ...(values.scandate !== undefined && { scandate: values.scandate }),
      ...(values.subject !== undefined && { subject_id: await findSubjectId(client, values.subject) }),
    };
    await printOne(await client.updateExperiment({ params: { id }, body }), values, columns);
  },
});

export const experimentRecords = [list, get, create, update];
