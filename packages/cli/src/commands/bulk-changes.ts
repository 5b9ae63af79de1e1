/** `bulk move`, `retry`, `evaluate`, `place`, `set`, `assign` and `note`: the changes of `experiment`, for many experiments. */
import { text } from 'node:stream/consumers';
import type { Client } from '@milepost/api/client';
import { defineCommand, type Argument, type Command, type Options } from '../run/command.ts';
import { usage } from '../run/failure.ts';
import { connect } from '../contexts/connect.ts';
import { findUserId, wholeNumber } from '../contexts/find-object.ts';
import { yesOption } from '../contexts/prompt.ts';
import { readText } from '../contexts/read-file.ts';
import { outputOptions, printOne } from '../output/print.ts';
import { bulkColumns, requireComplete, runBulk } from './bulk-operation.ts';
import { readValue } from './experiment-changes.ts';

const shared = {
  query: { takes: 'QUERY', about: 'change the experiments that match this query, such as state:arrived' },
  ids: { takes: 'FILE', about: 'change the experiments whose ids are in this file; - reads standard input' },
  reason: {
    takes: 'TEXT',
    about: 'the reason, which is stored with each change; asked for in a terminal, required elsewhere',
  },
  rate: { takes: 'N', about: 'change at most this many in a second' },
  'dry-run': { about: 'only check and say how many would change' },
  detach: { about: 'do not wait for the end; the operation continues on the server' },
  ...yesOption,
  ...outputOptions,
} as const;

const description =
  'First checks each experiment, and says how many would change and why others are refused. Asks before it changes anything. Ctrl-C stops the ' +
  'operation: experiments that were changed stay changed. Exits with code 1 if experiments were refused.';

async function readIds(file: string): Promise<number[]> {
  const content = file === '-' ? await text(process.stdin) : await readText(file);
  const words = content.split(/[\s,]+/).filter(Boolean);
  return words.map((id) => wholeNumber(id, 'An id'));
}

async function readSelection({ query, ids }: { query: string | undefined; ids: string | undefined }) {
  if ((query === undefined) === (ids === undefined))
    throw usage('Choose the experiments with --query or with --ids.', 'For example: --query state:arrived');
  return ids === undefined ? { query: query ?? '' } : { experiment_ids: await readIds(ids) };
}

type Change = Pick<Parameters<Client['createBulkOperation']>[0]['body'], 'kind' | 'state' | 'variables' | 'text'> & {
  run_callbacks?: boolean;
  user_id?: number | null;
};

interface Described {
  path: string;
  summary: string;
  args?: readonly Argument[];
  options?: Options;
  examples: readonly string[];
  read: (
    args: readonly string[],
    more: { client: Client; values: Readonly<Record<string, unknown>> },
  ) => Change | Promise<Change>;
}

const defineChange = ({ args = [], options = {}, read, ...described }: Described): Command =>
  defineCommand({
    ...described,
    description,
    args,
    options: { ...shared, ...options },
    run: async ({ args: given, values, environment }) => {
      const client = await connect({ values, environment });
      const words = args.map(({ name }) => String((given as Record<string, unknown>)[name]));
      const body = {
        ...(await read(words, { client, values })),
        ...(await readSelection(values)),
        ...(values.rate !== undefined && { rate: wholeNumber(values.rate, '--rate') }),
      };
      const { reason, detach } = values;
      const ended = await runBulk(client, body, { reason, detach, dryRun: values['dry-run'], isConfirmed: values.yes });
      await printOne(ended, values, bulkColumns);
      requireComplete(ended);
    },
  });

const state = { name: 'state', about: 'label of the state' };

export const bulkChanges: readonly Command[] = [
  defineChange({
    path: 'bulk move',
    summary: 'move many experiments to another state',
    args: [state],
    examples: [
      'milepost bulk move processed --query state:arrived --dry-run',
      'milepost bulk move processed --query state:arrived --reason "Checked by hand" --yes',
    ],
    read: ([label = '']) => ({ kind: 'move', state: label }),
  }),
  defineChange({
    path: 'bulk retry',
    summary: 'run the failed callbacks of many experiments again',
    examples: ['milepost bulk retry --query incident:failed --reason "The archive was down" --dry-run'],
    read: () => ({ kind: 'retry' }),
  }),
  defineChange({
    path: 'bulk evaluate',
    summary: 'check the conditions of many experiments again',
    examples: ['milepost bulk evaluate --query state:processed --dry-run'],
    read: () => ({ kind: 'evaluate' }),
  }),
  defineChange({
    path: 'bulk place',
    summary: 'correct the state of many experiments, regardless of the transitions',
    args: [state],
    options: { 'run-callbacks': { about: 'also run the callbacks of the state' } },
    examples: ['milepost bulk place arrived --query state:processed --reason "Imported twice by mistake" --yes'],
    read: ([label = ''], { values }) => ({
      kind: 'place',
      state: label,
      ...(values['run-callbacks'] === true && { run_callbacks: true }),
    }),
  }),
  defineChange({
    path: 'bulk set',
    summary: 'set a variable of many experiments',
    args: [
      { name: 'name', about: 'name of the variable' },
      { name: 'value', about: 'its value: JSON, such as 3 or true, or else text' },
    ],
    examples: ['milepost bulk set usable true --query cohort:memory-clinic --reason "Checked by hand" --yes'],
    read: ([name = '', value = '']) => ({ kind: 'set_variables', variables: { [name]: readValue(value) } }),
  }),
  defineChange({
    path: 'bulk assign',
    summary: 'assign many experiments to a user',
    args: [{ name: 'user', about: 'username, id, me, or nobody' }],
    examples: ['milepost bulk assign me --query state:arrived --reason "Amina is on holiday" --yes'],
    read: async ([user = ''], { client }) => ({
      kind: 'assign',
      user_id: user === 'nobody' ? null : await findUserId(client, user),
    }),
  }),
  defineChange({
    path: 'bulk note',
    summary: 'add a note to many experiments',
    args: [{ name: 'text', about: 'the note' }],
    examples: [
      'milepost experiment list state:arrived -o ids | milepost bulk note "Repeat the T1" --ids - --reason "Blurred" --yes',
    ],
    read: ([words = '']) => ({ kind: 'note', text: words }),
  }),
];
