/**
 * `workflow lint` and `config lint`: check files as an import does, without a server. Each finding is one line, in the form that editors
 * recognise, and a summary goes to standard error.
 */
import { readFile } from 'node:fs/promises';
import type { ConfigurationContext, LintFinding } from '@milepost/definitions';
import { defineCommand } from '../run/command.ts';
import { exitCodes } from '../run/failure.ts';
import { eachOf, outputOptions, printRows, type OutputValues } from '../output/print.ts';
import { visibleLine } from '../output/visible-text.ts';
import { flushOutput, note, writeOutput } from '../output/write-output.ts';

interface FileFinding extends LintFinding {
  [field: string]: unknown;
  file: string;
}

const columns = ['file', 'line', 'column', 'severity', 'code', 'message'];
const about = 'Exits with code 1 if a file has errors. Warnings can be allowed with a comment in the file.';

const nothingKnown: ConfigurationContext = { context: {}, findings: [] };

export const workflowLint = defineCommand({
  path: 'workflow lint',
  summary: 'check workflow files without a server',
  description: `Reports the errors that an import rejects, and warnings, each with its line, column and code. ${about}`,
  local: true,
  args: [{ name: 'file', about: 'workflow files', repeated: true }],
  options: {
    config: { takes: 'FILE', about: 'configuration file whose external systems the workflows can use' },
    ...outputOptions,
  },
  examples: [
    'milepost workflow lint brain-mri.yaml',
    'milepost workflow lint brain-mri.yaml --config study.yaml -o json',
  ],
  run: async ({ args, values }) => {
    const { contextOf, lintWorkflow } = await import('@milepost/definitions');
    const { config: file = '' } = values;
    const configuration = file === '' ? undefined : await read(file);
    const { context, findings } = configuration === undefined ? nothingKnown : contextOf(configuration);
    const faults = findings.map((finding) => ({ file, ...finding }));
    await lintFiles(args.file, values, (text) => lintWorkflow(text, context), faults);
  },
});

export const configLint = defineCommand({
  path: 'config lint',
  summary: 'check configuration files without a server',
  description: `Reports the errors that an import rejects, and warnings, each with its line, column and code. ${about}`,
  local: true,
  args: [{ name: 'file', about: 'configuration files', repeated: true }],
  options: outputOptions,
  examples: ['milepost config lint study.yaml'],
  run: async ({ args, values }) => {
    const { lintConfiguration } = await import('@milepost/definitions');
    await lintFiles(args.file, values, lintConfiguration);
  },
});

async function lintFiles(
  files: readonly string[],
  values: OutputValues,
  lint: (text: string) => LintFinding[],
  faultsOfOthers: readonly FileFinding[] = [],
) {
  const found = [...faultsOfOthers];
  for (const file of files) {
    const text = await read(file);
    if (text !== undefined) found.push(...lint(text).map((finding) => ({ file, ...finding })));
  }
  await print(found, values);
  const errors = found.filter(({ severity }) => severity === 'error').length;
  const checked = new Set([...files, ...faultsOfOthers.map(({ file }) => file)]);
  note(`${count(checked.size, 'file')}: ${count(errors, 'error')}, ${count(found.length - errors, 'warning')}.`);
  if (errors > 0) process.exitCode ??= exitCodes.failed;
}

/** The other files are checked even if one cannot be read. */
const read = (file: string) =>
  readFile(file, 'utf8').catch(({ code, message }: NodeJS.ErrnoException) => {
    note(code === 'ENOENT' ? `No file \`${file}\`.` : `Cannot read ${file}: ${message}`);
    process.exitCode = exitCodes.usage;
  });

async function print(found: readonly FileFinding[], values: OutputValues): Promise<void> {
  if ((values.output ?? 'table') !== 'table')
    return printRows(eachOf(found), values, { columns, plural: 'findings', id: 'code' });
  for (const finding of found) await writeOutput(`${visibleLine(lineOf(finding))}\n`);
  await flushOutput();
}

const lineOf = ({ file, line, column, severity, code, message }: FileFinding) =>
  `${file}:${line ?? 1}:${column ?? 1}: ${severity}: ${message}${code === null ? '' : ` [${code}]`}`;

const count = (number: number, name: string) => `${number} ${name}${number === 1 ? '' : 's'}`;
