/** Suggests the indentation of a line whose indentation does not match the lines before it. */

export interface WrongIndentation {
  /** Spaces. */
  wanted: number;
  given: number;
  /** The line has the indentation of a list, but begins no item of it. */
  lacksDash: boolean;
}

interface Level {
  /** The column of the keys of a mapping, or of the dashes of a list. */
  column: number;
  isList: boolean;
}

/** Undefined if the indentation is one that the lines before allow. */
export function wrongIndentation(lines: readonly string[], index: number): WrongIndentation | undefined {
  const line = lines[index] ?? '';
  const given = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '  ').length ?? 0;
  const isList = /^[ \t]*-(?: |$)/.test(line);
  const hasTab = /^ *\t/.test(line);
  const open = levelsBefore(lines.slice(0, index));
  const levels = open.filter((level) => level.isList === isList);
  const lacksDash = !isList && !hasTab && open.some((level) => level.isList && level.column === given);
  if (levels.length === 0 || (!hasTab && levels.some(({ column }) => column === given))) return undefined;
  const [nearest] = levels.toSorted((a, b) => distance(a, given) - distance(b, given) || b.column - a.column);
  return nearest && { wanted: nearest.column, given, lacksDash };
}

const distance = ({ column }: Level, given: number) => Math.abs(column - given);

/** The mappings and lists that are open after these lines. */
function levelsBefore(lines: readonly string[]): Level[] {
  // In the order of their columns.
  const open: Level[] = [];
  let textBelow: number | undefined;
  for (const line of lines) {
    const indentation = /^ */.exec(line)?.[0].length ?? 0;
    if (/^\s*(?:#|$)/.test(line) || (textBelow !== undefined && indentation > textBelow)) continue;
    textBelow = /[|>][-+\d]*\s*$/.test(line) ? indentation : undefined;
    while ((open.at(-1)?.column ?? -1) >= indentation) open.pop();
    open.push(...levelsOf(line, indentation));
  }
  return open;
}

/** `- - label: a` opens two lists and a mapping. */
function levelsOf(line: string, indentation: number): Level[] {
  const levels: Level[] = [];
  let column = indentation;
  for (let rest = line.slice(column); /^-(?: |$)/.test(rest); rest = line.slice(column)) {
    levels.push({ column, isList: true });
    column += /^- */.exec(rest)?.[0].length ?? 2;
  }
  if (/^["']?[\w.$-]+["']?\s*:(?:\s|$)/.test(line.slice(column))) levels.push({ column, isList: false });
  return levels;
}
