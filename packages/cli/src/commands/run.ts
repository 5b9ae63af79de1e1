/** Runs: executions of callbacks. */
import { setTimeout } from 'node:timers/promises';
import type { Client } from '@milepost/api/client';
import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { findExperimentId, wholeNumber } from '../contexts/find-object.ts';
import { listRows, readLimit, takeRows } from '../contexts/list-rows.ts';
import type { Row } from '../output/cells.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';
import { note } from '../output/write-output.ts';
import { printNewLogs, printRestOfLog, type PrintedLog } from './print-logs.ts';

const run = { name: 'run', about: 'id of the run' } as const;
const columns = ['id', 'experiment.label', 'callback.label', 'status', 'result', 'attempt', 'created', 'finished'];

const list = defineCommand({
  path: 'run list',
  summary: 'list runs',
  options: {
    experiment: { takes: 'EXPERIMENT', about: 'only the runs of this experiment' },
    status: {
      takes: 'STATUS',
      about: 'only this status',
      choices: ['created', 'queued', 'running', 'waiting', 'finished', 'skipped'],
    },
    result: { takes: 'RESULT', about: 'only this result', choices: ['none', 'success', 'failed', 'timeout'] },
    ...listOptions,
  },
  examples: ['milepost run list --result failed', 'milepost run list --status running -o ids'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    const { status, result } = values;
    if (values.experiment !== undefined) {
      const limit = readLimit(values.limit);
      const rows = runsOf(client, await findExperimentId(client, values.experiment), { status, result });
      return printRows(takeRows(rows, limit), values, {
        columns: ['id', 'callback', ...columns.slice(3)],
        plural: 'runs',
      });
    }
    const rows = listRows(client, 'listCallbackExecutions', { query: { status, result } }, values.limit);
    return printRows(rows, values, { columns, plural: 'runs' });
  },
});

async function* runsOf(
  client: Client,
  id: number,
  { status, result }: { status: string | undefined; result: string | undefined },
): AsyncGenerator<Row, void> {
  for await (const { executions } of listRows(client, 'getExperimentTimeline', { params: { id } }, undefined))
    for (const row of executions as Row[])
      if ((!status || row['status'] === status) && (!result || row['result'] === result)) yield row;
}

const show = defineCommand({
  path: 'run show',
  summary: 'show a run with its cause and result',
  args: [run],
  options: outputOptions,
  examples: ['milepost run show 1'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const found = await client.getCallbackExecution({ params: { id: wholeNumber(args.run, 'RUN') } });
    await printOne(found, values, [...columns, 'run_start', 'cause', 'result_values', 'result_log']);
  },
});

const logs = defineCommand({
  path: 'run logs',
  summary: 'print the logs of the attempts of a run',
  args: [run],
  options: { follow: { short: 'f', about: 'print new lines until the run has finished' } },
  examples: ['milepost run logs 1', 'milepost run logs 1 -f'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = wholeNumber(args.run, 'RUN');
    let last: PrintedLog | undefined;
    for (;;) {
      const isOver = !values.follow || (await isFinished(client, id));
      last = await printNewLogs(client, id, last);
      if (isOver) break;
      await setTimeout(1000);
    }
    const { status } = await printRestOfLog(client, id, last);
    if (!last && status !== 'finished') note(`Run ${id} has not started.`);
  },
});

const isFinished = async (client: Client, id: number) => {
  const { status } = await client.getCallbackExecution({ params: { id }, fields: 'status' });
  return status === 'finished' || status === 'skipped';
};

export const runCommands = [list, show, logs];
