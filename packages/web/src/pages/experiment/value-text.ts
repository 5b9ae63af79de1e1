const maxLength = 300;

/** The value of a variable on one line: strings as they are, other values as JSON, truncated if very long. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
