/** Text of CSV files that pages create. */
const quoted = (value: string, delimiter: string): string =>
  /["\r\n]/.test(value) || value.includes(delimiter) || value !== value.trim()
    ? `"${value.replaceAll('"', '""')}"`
    : value;

/** With a byte order mark, because spreadsheets need it to read UTF-8. */
export const csvText = (lines: readonly (readonly string[])[], delimiter = ','): string =>
  `\uFEFF${lines.map((line) => `${line.map((value) => quoted(value, delimiter)).join(delimiter)}\r\n`).join('')}`;
