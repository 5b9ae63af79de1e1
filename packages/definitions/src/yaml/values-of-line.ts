/** Finds the values in one line of a YAML text that is not valid, for suggestions. */

export interface ValueInLine {
  /** Empty for an item of a list. */
  key: string;
  /** Offsets into the line. */
  start: number;
  end: number;
  /** Inside { } or [ ]. */
  isInFlow: boolean;
}

const beginning = /^\s*(?:- +)*(?:([\w.-]+)[ \t]*:[ \t]+)?/;

/** Searches in hostile lines could take long. A condition has at most 1,000 characters. */
const maxLength = 2_000;

/** Values without quotes, and quoted values with something after their quotes. */
export function unquotedValues(line: string): ValueInLine[] {
  if (line.length > maxLength) return [];
  const match = beginning.exec(line);
  const start = match?.[0].length ?? 0;
  const key = match?.[1] ?? '';
  const end = endOfBlock(line);
  const first = line.charAt(start);
  if (start >= end || '|>&*#'.includes(first)) return [];
  if (line.startsWith('{{', start)) return [{ key, start, end, isInFlow: false }];
  if (first === '{' || first === '[') return flowValues(line, start, end);
  // A line of a mapping in { } over several lines.
  const comma = /,\s*$/.exec(line.slice(start, end));
  const last = comma ? start + comma.index : end;
  return isQuotedWhole(line, start, last) ? [] : [{ key, start, end: last, isInFlow: comma !== null }];
}

/** Without the comment at the end. */
function endOfBlock(line: string): number {
  const comment = /\s+#.*$/.exec(line);
  return line.slice(0, comment?.index ?? line.length).trimEnd().length;
}

const quotedText = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/y;

function endOfQuotes(line: string, start: number): number {
  quotedText.lastIndex = start;
  return quotedText.test(line) ? quotedText.lastIndex : -1;
}

const isQuotedWhole = (line: string, start: number, end: number) => endOfQuotes(line, start) === end;

const entry = /\s*(?:([\w.$-]+|"[^"]*"|'[^']*')\s*:(?:\s+|(?=["'[{])|$))?/y;

/** The values of a collection in { } or [ ] that begins at `start`, and of those inside it. */
function flowValues(line: string, start: number, end: number): ValueInLine[] {
  const found: ValueInLine[] = [];
  let at = start + 1;
  let depth = 1;
  while (at < end && depth > 0) {
    entry.lastIndex = at;
    const match = entry.exec(line);
    const from = at + (match?.[0].length ?? 0);
    const next = line.charAt(from);
    if (next === '}' || next === ']' || next === ',') {
      if (next !== ',') depth -= 1;
      at = from + 1;
    } else if ((next === '{' || next === '[') && !line.startsWith('{{', from)) {
      depth += 1;
      at = from + 1;
    } else {
      const to = endOfPlain(line, from, end);
      if (to > from && !isQuotedWhole(line, from, to))
        found.push({ key: match?.[1] ?? '', start: from, end: to, isInFlow: true });
      at = Math.max(to, from + 1);
    }
  }
  return found;
}

/** The end of a value that can have brackets and quotes: before a comma or closing bracket outside of its own. */
function endOfPlain(line: string, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const one = line.charAt(at);
    if (one === '"' || one === "'") at = Math.max(at, endOfQuotes(line, at) - 1);
    else if ('([{'.includes(one)) depth += 1;
    else if (depth === 0 && ',]}'.includes(one)) return line.slice(0, at).trimEnd().length;
    else if (')]}'.includes(one)) depth -= 1;
  }
  return end;
}
