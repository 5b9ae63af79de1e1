/**
 * `milepost workflow lint` and `milepost config lint`: check files as an import does, without a server. One line for each finding
 * goes to stdout, in the form that editors recognise, and a summary to stderr.
 */
import { readFile } from 'node:fs/promises';
import { lintConfiguration, lintWorkflow, systemsIn, type LintFinding } from '@milepost/definitions';

export interface LintOptions {
  json?: boolean;
  /** The configuration file with the external systems of the installation. */
  config?: string;
}

interface FileFinding extends LintFinding {
  file: string;
}

export async function lintWorkflowFiles(files: readonly string[], options: LintOptions) {
  const configuration = options.config === undefined ? undefined : await read(options.config);
  const context = configuration === undefined ? {} : { systems: systemsIn(configuration) };
  await lintFiles(files, options, (text) => lintWorkflow(text, context));
}

export const lintConfigurationFiles = (files: readonly string[], options: LintOptions) =>
  lintFiles(files, options, lintConfiguration);

const usageError = 2;

/** Exits with 1 if a file has an error, and with 2 if a file cannot be read. */
async function lintFiles(
  files: readonly string[],
  { json = false }: LintOptions,
  lint: (text: string) => LintFinding[],
) {
  const found: FileFinding[] = [];
  for (const file of files) {
    const text = await read(file);
    if (text !== undefined) found.push(...lint(text).map((finding) => ({ file, ...finding })));
  }
  if (json) console.log(JSON.stringify(found, undefined, 2));
  else for (const finding of found) console.log(lineOf(finding));
  const errors = found.filter(({ severity }) => severity === 'error').length;
  console.error(summaryOf(files.length, errors, found.length - errors));
  if (errors > 0) process.exitCode ??= 1;
}

const read = (file: string) => readFile(file, 'utf8').catch((error: Error) => reportUnreadable(file, error));

function reportUnreadable(file: string, { message }: Error): undefined {
  console.error(`Cannot read ${file}: ${message}`);
  process.exitCode = usageError;
}

const lineOf = ({ file, line, column, severity, code, message }: FileFinding) =>
  `${file}:${line ?? 1}:${column ?? 1}: ${severity}: ${message}${code === null ? '' : ` [${code}]`}`;

const count = (number: number, name: string) => `${number} ${name}${number === 1 ? '' : 's'}`;

const summaryOf = (files: number, errors: number, warnings: number) =>
  `${count(files, 'file')}: ${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
