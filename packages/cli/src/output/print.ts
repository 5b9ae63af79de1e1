/** Prints lists and single objects in the format of `--output`. Lists are printed while they are read. */
import type { Options } from '../run/command.ts';
import { valueAt, type Row } from './cells.ts';
import { csvLine } from './csv.ts';
import { writeFields, writeTable } from './table.ts';
import { flushOutput, note, writeOutput } from './write-output.ts';
import { yamlText } from './yaml.ts';

const formats = ['table', 'json', 'yaml', 'csv', 'ids'] as const;

export const outputOptions = {
  output: { short: 'o', takes: 'FORMAT', choices: formats, about: 'format of the output' },
  fields: { takes: 'LIST', about: 'the fields to print, such as label,state.label' },
} as const satisfies Options;

export const listOptions = {
  ...outputOptions,
  limit: { takes: 'N', about: 'print at most this many' },
} as const satisfies Options;

export interface OutputValues {
  output: string | undefined;
  fields: string | undefined;
}

interface Listed {
  /** Of tables and CSV, unless the user chooses fields. */
  columns: readonly string[];
  /** For a note if the list is empty: `experiments`. */
  plural: string;
  /** The field that `-o ids` prints. */
  id?: string;
}

const fieldsOf = ({ fields }: OutputValues) => fields?.split(',').map((field) => field.trim());

/** With fields, an object that has only these. */
const picked = (row: Row, fields: readonly string[] | undefined): Row =>
  fields ? Object.fromEntries(fields.map((field) => [field, valueAt(row, field) ?? null])) : row;

export async function printRows(rows: AsyncIterable<Row>, values: OutputValues, listed: Listed): Promise<void> {
  const fields = fieldsOf(values);
  const columns = fields ?? listed.columns;
  let count = 0;
  if (values.output === undefined || values.output === 'table') count = await writeTable(rows, columns);
  else if (values.output === 'json') return printJson(rows, fields);
  else if (values.output === 'csv') return printCsv(rows, columns);
  else {
    const line = (row: Row) =>
      values.output === 'ids' ? `${String(row[listed.id ?? 'id'])}\n` : yamlText([picked(row, fields)]);
    for await (const row of rows) {
      count += 1;
      await writeOutput(line(row));
    }
    if (count === 0 && values.output === 'yaml') await writeOutput('[]\n');
  }
  await flushOutput();
  if (count === 0) note(`No ${listed.plural}.`);
}

async function printJson(rows: AsyncIterable<Row>, fields: readonly string[] | undefined): Promise<void> {
  let separator = '[\n  ';
  for await (const row of rows) {
    await writeOutput(separator + JSON.stringify(picked(row, fields)));
    separator = ',\n  ';
  }
  await writeOutput(separator.startsWith('[') ? '[]\n' : '\n]\n');
  await flushOutput();
}

async function printCsv(rows: AsyncIterable<Row>, columns: readonly string[]): Promise<void> {
  await writeOutput(csvLine(columns));
  for await (const row of rows) await writeOutput(csvLine(columns.map((column) => valueAt(row, column))));
  await flushOutput();
}

/** Of a list that is known as a whole. */
export async function* eachOf(rows: readonly Row[]): AsyncGenerator<Row, void> {
  yield* rows;
}

/** `columns` are the fields of the table; other formats have all fields. */
export async function printOne(row: Row, values: OutputValues, columns: readonly string[]): Promise<void> {
  const fields = fieldsOf(values);
  if (values.output === 'json') await writeOutput(`${JSON.stringify(picked(row, fields), null, 2)}\n`);
  else if (values.output === 'yaml') await writeOutput(yamlText(picked(row, fields)));
  else if (values.output === 'ids') await writeOutput(`${String(row['id'])}\n`);
  else if (values.output === 'csv') return printCsv(eachOf([row]), fields ?? columns);
  else await writeFields(row, fields ?? columns);
  await flushOutput();
}
