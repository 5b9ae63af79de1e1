/**
 * Rows as CSV (RFC 4180), with the columns and the order of the table. A text that a spreadsheet would take for a formula
 * is preceded by an apostrophe: a label is somebody else's words.
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

/** With the mark that tells spreadsheets that it is UTF-8. */
export function downloadCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}
