/** Result values, as in the function `command`: the last line `__VALUES__ = {json}` of the standard output. */

/** The server limits values to 1 MiB by default, and says so if they are longer. */
const lineBytes = 4 * 1024 * 1024;
const newline = 10;

export interface PrintedValues {
  add: (chunk: Buffer) => void;
  /** After the end of the output. Undefined if no line has values, null if the last one has no JSON object. */
  read: () => Record<string, unknown> | null | undefined;
}

export function readPrintedValues(): PrintedValues {
  let [parts, length]: [Buffer[], number] = [[], 0];
  let values: Record<string, unknown> | null | undefined;
  const add = (part: Buffer) => {
    // The rest of a longer line is dropped, so its values are no JSON object.
    if (part.length > 0 && length < lineBytes) parts.push(part);
    length += part.length;
  };
  const endLine = () => {
    const line = parts.length === 0 ? '' : Buffer.concat(parts).toString('utf8');
    [parts, length] = [[], 0];
    if (line.startsWith('__VALUES__')) values = valuesOf(line);
  };
  return {
    add: (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, at));
        endLine();
        from = at + 1;
      }
      add(chunk.subarray(from));
    },
    read: () => {
      endLine();
      return values;
    },
  };
}

function valuesOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(/^__VALUES__\s*=(.*)$/s.exec(line)?.[1] ?? '');
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
