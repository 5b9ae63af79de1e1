const longest = 300;

/** A value of a variable on one line: texts as they are, all else as JSON. What is very long is cut. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
