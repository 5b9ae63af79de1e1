/** Rows as CSV (RFC 4180) in UTF-8. */

/** Texts that a spreadsheet would run as a formula. Anyone can choose a label. */
const formula = /^[=+\-@\t\r\n]/;

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

/**
 * The text of the value at this path. A list and an object are JSON. A path through a list has the texts of its elements. An apostrophe
 * precedes texts that look like a formula.
 */
export function cellOf(row: unknown, path: readonly string[]): string {
  const [name, ...rest] = path;
  if (name === undefined) return textOf(row);
  if (Array.isArray(row)) return row.map((element) => cellOf(element, path)).join('; ');
  return cellOf(fieldOf(row, name), rest);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return formula.test(value) ? `'${value}` : value;
  return JSON.stringify(value);
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
