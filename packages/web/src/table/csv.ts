/**
 * Rows as CSV (RFC 4180), in the order of the table. An apostrophe precedes texts that a spreadsheet would run as a formula,
 * because anyone can choose a label.
 */
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
export function downloadCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
