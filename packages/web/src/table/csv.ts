/**
 * Rows as CSV (RFC 4180), in the order of the table. An apostrophe precedes texts that a spreadsheet would run as a formula,
 * because anyone can choose a label.
 */
import { downloadText } from '../ui/download.ts';
import type { Column } from './column.ts';

const formula = /^[=+\-@\t\r]/;

function field(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const exported = columns.filter((column) => !column.control);
  const lines = [exported.map(({ header }) => header), ...rows.map((row) => exported.map(({ text }) => text(row)))];
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/** Starts with a byte order mark, so that spreadsheets read UTF-8. */
export const downloadCsv = (name: string, text: string): void =>
  downloadText(`${name}.csv`, `\uFEFF${text}`, 'text/csv');
