import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { wholeNumber } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';
import { note } from '../output/write-output.ts';
import { bulkChanges } from './bulk-changes.ts';
import { bulkColumns, changedOf, followedBulk, requireComplete, tellRefusals, waitForEnd } from './bulk-operation.ts';
import { followWork } from './follow-work.ts';

const operation = { name: 'operation', about: 'id of the bulk operation' } as const;

const list = defineCommand({
  path: 'bulk list',
  summary: 'list bulk operations, newest first',
  options: listOptions,
  examples: ['milepost bulk list --limit 5'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    await printRows(listRows(client, 'listBulkOperations', {}, values.limit), values, {
      columns: bulkColumns,
      plural: 'bulk operations',
    });
  },
});

const show = defineCommand({
  path: 'bulk show',
  summary: 'show a bulk operation, and wait for its end with --wait',
  args: [operation],
  options: { wait: { about: 'wait until it has ended; Ctrl-C stops it' }, ...outputOptions },
  examples: ['milepost bulk show 1', 'milepost bulk show 2 --wait'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = wholeNumber(args.operation, 'OPERATION');
    const found = await client.getBulkOperation({ params: { id } });
    const shown = values.wait ? await followWork(found, followedBulk(client, found)) : found;
    tellRefusals(shown);
    await printOne(shown, values, bulkColumns);
    if (values.wait) requireComplete(shown);
  },
});

const items = defineCommand({
  path: 'bulk items',
  summary: 'list the experiments of a bulk operation with their results',
  args: [operation],
  options: {
    result: { takes: 'RESULT', choices: ['ready', 'done', 'refused'], about: 'only this result' },
    ...listOptions,
  },
  examples: ['milepost bulk items 2 --result done -o csv'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const parts = { params: { id: wholeNumber(args.operation, 'OPERATION') }, query: { result: values.result } };
    const shown = ['experiment_id', 'experiment.label', 'result', 'code', 'detail'];
    await printRows(listRows(client, 'listBulkItems', parts, values.limit), values, {
      columns: shown,
      plural: 'experiments',
      id: 'experiment_id',
    });
  },
});

const pause = defineCommand({
  path: 'bulk pause',
  summary: 'pause a bulk operation, so that it can be resumed',
  args: [operation],
  examples: ['milepost bulk pause 2'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = wholeNumber(args.operation, 'OPERATION');
    const paused = await client.pauseBulkOperation({ params: { id } });
    note(`Bulk operation ${id} is paused. ${changedOf(paused)}`);
    note(`Continue with: milepost bulk resume ${id}`);
  },
});

const resume = defineCommand({
  path: 'bulk resume',
  summary: 'resume a paused bulk operation, and wait for its end',
  args: [operation],
  options: { detach: { about: 'do not wait for the end' }, ...outputOptions },
  examples: ['milepost bulk resume 2', 'milepost bulk resume 2 --detach'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = wholeNumber(args.operation, 'OPERATION');
    const running = await client.resumeBulkOperation({ params: { id } });
    const ended = await waitForEnd(client, running, values.detach);
    await printOne(ended, values, bulkColumns);
    requireComplete(ended);
  },
});

const stop = defineCommand({
  path: 'bulk stop',
  summary: 'stop a bulk operation; experiments that were changed stay changed',
  args: [operation],
  examples: ['milepost bulk stop 1'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = wholeNumber(args.operation, 'OPERATION');
    const stopped = await client.stopBulkOperation({ params: { id } });
    note(`Bulk operation ${id} is stopped. ${changedOf(stopped)}`);
  },
});

export const bulkCommands = [...bulkChanges, list, show, items, pause, resume, stop];
