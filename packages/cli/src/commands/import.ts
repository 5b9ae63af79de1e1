/** Imports of spreadsheets: uploads the file, shows the check of each line, and imports the lines without faults. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Client } from '@milepost/api/client';
import { defineCommand } from '../run/command.ts';
import { Failure, usage } from '../run/failure.ts';
import { connect } from '../contexts/connect.ts';
import { findCohortId, findWorkflowId } from '../contexts/find-object.ts';
import { confirm, requireConfirmable, yesOption } from '../contexts/prompt.ts';
import { requireFile } from '../contexts/read-file.ts';
import { outputOptions, printOne } from '../output/print.ts';
import { visibleLine } from '../output/visible-text.ts';
import { note } from '../output/write-output.ts';
import { followWork, type Followed } from './follow-work.ts';

type Import = Awaited<ReturnType<Client['getImport']>>;
type Columns = NonNullable<Parameters<Client['updateImport']>[0]['body']['columns']>;

const targets = [
  'ignored',
  'subject',
  'date_of_birth',
  'subject_id',
  'experiment',
  'scan_date',
  'state',
  'scans',
  'experiment_id',
  'variable',
];
const number = (value: number) => value.toLocaleString('en-US');

/** `visit=experiment:{subject}-{visit}`: the header, what the column contains, and a name or template. */
function readMapping(text: string): [string, Columns[string]] {
  const [, header, target = '', detail] = /^(.+?)=(\w+)(?::(.+))?$/.exec(text) ?? [];
  if (header === undefined || !targets.includes(target))
    throw usage(
      `\`${text}\` is not a valid mapping of a column.`,
      `Write HEADER=TARGET or HEADER=TARGET:NAME. Targets: ${targets.join(', ')}.`,
    );
  const more = detail === undefined ? {} : target === 'experiment' ? { template: detail } : { name: detail };
  return [header, { target: target as Columns[string]['target'], ...more }];
}

const followedImport = (client: Client, { id }: Import): Followed<Import> => ({
  what: ({ status }) => (status === 'checking' ? 'lines checked' : 'lines imported'),
  name: `Import ${id}`,
  counts: ({ status, checked, done, ready }) =>
    status === 'checking' ? { done: checked, total: 0 } : { done, total: done + ready },
  changed: ({ done, ready }) => `${number(done)} of ${number(done + ready)} lines imported.`,
  read: () => client.getImport({ params: { id } }),
  stop: () => client.stopImport({ params: { id } }),
  showCommand: `milepost api GET /imports/${id}`,
  stopCommand: `milepost api POST /imports/${id}/stop`,
});

async function tellCheck(client: Client, checked: Import): Promise<void> {
  for (const { header, target, name, template } of checked.columns)
    note(visibleLine(`Column ${header}: ${[target, name ?? template].filter(Boolean).join(' ')}`));
  if (checked.faults > 0) {
    const { faults } = await client.listImportFaults({ params: { id: checked.id }, query: { limit: mostFaults } });
    for (const { line, column, value, detail } of faults)
      note(visibleLine(`Line ${line}, ${column ?? 'whole line'}: ${detail}${value === '' ? '' : ` (${value})`}`));
    if (checked.faults > faults.length) note(`${number(checked.faults - faults.length)} more faults.`);
  }
  note(
    `${number(checked.ready)} of ${number(checked.lines)} lines can be imported, ${number(checked.unchanged)} are already stored, and ` +
      `${number(checked.faulty)} have faults. New: ${number(checked.new_subjects)} subjects, ${number(checked.new_experiments)} experiments.`,
  );
}

const mostFaults = 20;

const importFile = defineCommand({
  path: 'import',
  summary: 'import subjects and experiments from a CSV file',
  description:
    'First checks each line. Asks before it creates anything. Lines with faults are not imported; correct them and import the file again. ' +
    'What is already stored stays as it is. Ctrl-C stops the import: lines that were imported stay. Exits with code 1 if lines have faults.',
  args: [{ name: 'file', about: 'CSV with a header' }],
  options: {
    cohort: { takes: 'COHORT', required: true, about: 'label or id of the cohort' },
    workflow: { takes: 'WORKFLOW', about: 'workflow of new experiments (default: the newest)' },
    map: { takes: 'HEADER=TARGET', repeated: true, about: 'what a column contains (default: guessed from the header)' },
    encoding: { takes: 'NAME', choices: ['utf-8', 'windows-1252'], about: 'encoding of the file (default: utf-8)' },
    'dry-run': { about: 'only check the lines' },
    ...yesOption,
    ...outputOptions,
  },
  examples: [
    `milepost import visits.csv --cohort memory-clinic --workflow brain_mri --map subject=subject --map 'visit=experiment:{subject}-{visit}' --dry-run`,
    `milepost import visits.csv --cohort memory-clinic --workflow brain_mri --map subject=subject --map 'visit=experiment:{subject}-{visit}' --yes`,
  ],
  run: async ({ args, values, environment }) => {
    if (!values['dry-run']) requireConfirmable(values.yes);
    await requireFile(args.file);
    const client = await connect({ values, environment });
    const query = {
      cohort_id: await findCohortId(client, values.cohort),
      file_name: basename(args.file),
      ...(values.encoding !== undefined && { encoding: values.encoding as 'utf-8' }),
      ...(values.workflow !== undefined && { workflow_id: await findWorkflowId(client, values.workflow) }),
    };
    const columns = values.map.length === 0 ? undefined : (Object.fromEntries(values.map.map(readMapping)) as Columns);
    const uploaded = await client.createImport({ query, file: await openAsBlob(args.file) });
    const mapped = columns ? await client.updateImport({ params: { id: uploaded.id }, body: { columns } }) : uploaded;
    const checked = await followWork(mapped, followedImport(client, uploaded));
    await tellCheck(client, checked);
    const isWanted = !values['dry-run'] && checked.status === 'checked' && checked.ready > 0;
    const ended = isWanted ? await apply(client, checked, values.yes) : checked;
    await printOne(ended, values, [
      'id',
      'status',
      'lines',
      'done',
      'unchanged',
      'faulty',
      'new_subjects',
      'new_experiments',
    ]);
    requireComplete(ended, isWanted ? 'finished' : 'checked');
  },
});

function requireComplete({ status, faulty, stopped_because }: Import, expected: Import['status']): void {
  if (status !== expected) throw new Failure('failed', stopped_because ?? `The import is ${status}.`);
  if (faulty === 0) return;
  const lines = faulty === 1 ? '1 line has' : `${number(faulty)} lines have`;
  throw new Failure('failed', `${lines} faults.`, 'Correct them and import the file again.');
}

async function apply(client: Client, checked: Import, isConfirmed: boolean): Promise<Import> {
  await confirm(`Import ${number(checked.ready)} lines?`, isConfirmed);
  const running = await client.applyImport({ params: { id: checked.id } });
  const ended = await followWork(running, followedImport(client, checked));
  note(`Imported ${number(ended.done)} lines.`);
  return ended;
}

export const importCommands = [importFile];
