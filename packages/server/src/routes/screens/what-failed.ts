/** One sentence about a failed run. */
const maxLength = 300;

/** An error can include a stack trace. */
export function firstLine(text: string): string {
  const [line = ''] = text.trim().split(/\r?\n/, 1);
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

export const whatFailed = (callback: string, cause: string | null): string =>
  `${callback}: ${firstLine(cause ?? '') || 'no reason given'}`;
