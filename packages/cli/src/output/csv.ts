/** CSV as the server writes it: RFC 4180, and an apostrophe before text that a spreadsheet would run as a formula. */
import { cellText } from './cells.ts';

const formula = /^[=+\-@\t\r]/;

function cell(value: unknown): string {
  const text = cellText(value);
  const safe = typeof value !== 'number' && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;
