import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { findExperimentId, wholeNumber } from '../contexts/find-object.ts';
import { listRows, readLimit, takeRows } from '../contexts/list-rows.ts';
import { eachOf, listOptions, outputOptions, printOne, printRows } from '../output/print.ts';

const columns = ['id', 'experiment.label', 'scantype.protocol', 'scantype.modality'];

const list = defineCommand({
  path: 'scan list',
  summary: 'list scans',
  options: {
    experiment: { takes: 'EXPERIMENT', about: 'only scans of this experiment: its id or label' },
    ...listOptions,
  },
  examples: ['milepost scan list --experiment MC-0041-baseline'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    if (values.experiment === undefined) {
      const all = listRows(client, 'listScans', {}, values.limit);
      return printRows(all, values, { columns, plural: 'scans' });
    }
    const limit = readLimit(values.limit);
    const id = await findExperimentId(client, values.experiment);
    const { scans, label } = await client.getExperimentOverview({ params: { id }, fields: 'label,scans' });
    const rows = scans.map((scan) => ({ ...scan, experiment: { id, label } }));
    return printRows(takeRows(eachOf(rows), limit), values, { columns, plural: 'scans' });
  },
});

const get = defineCommand({
  path: 'scan get',
  summary: 'show a scan',
  args: [{ name: 'scan', about: 'id of the scan' }],
  options: outputOptions,
  examples: ['milepost scan get 1'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    await printOne(await client.getScan({ params: { id: wholeNumber(args.scan, 'SCAN') } }), values, columns);
  },
});

const create = defineCommand({
  path: 'scan create',
  summary: 'record a scan of an experiment',
  description: 'A scan cannot be changed afterwards.',
  args: [
    { name: 'experiment', about: 'id or label of the experiment' },
    { name: 'protocol', about: 'protocol of the scan type' },
  ],
  options: outputOptions,
  examples: ['milepost scan create MC-0041-baseline T1w'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const body = { experiment_id: await findExperimentId(client, args.experiment), scantype_protocol: args.protocol };
    await printOne(await client.createScan({ body }), values, columns);
  },
});

export const scanCommands = [list, get, create];
