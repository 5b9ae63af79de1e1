/** Compares two texts line by line, for the changes of a revision. */

export interface Line {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Texts that differ in more lines are shown as completely replaced, because the comparison would take too long. */
const maxCells = 4_000_000;

export function compareLines(before: string, after: string): Line[] {
  const [old, current] = [linesOf(before), linesOf(after)];
  const start = commonLength(old, current);
  const end = commonLength(old.slice(start).toReversed(), current.slice(start).toReversed());
  const [oldMiddle, newMiddle] = [old.slice(start, old.length - end), current.slice(start, current.length - end)];
  return [
    ...marked('same', old.slice(0, start)),
    ...(oldMiddle.length * newMiddle.length > maxCells
      ? [...marked('removed', oldMiddle), ...marked('added', newMiddle)]
      : compareMiddle(oldMiddle, newMiddle)),
    ...marked('same', current.slice(current.length - end)),
  ];
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));
const marked = (kind: Line['kind'], lines: readonly string[]): Line[] => lines.map((text) => ({ kind, text }));

function commonLength(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((line, index) => line !== other[index]);
  return differs === -1 ? one.length : differs;
}

/** Walks through the table of longest common subsequences. Removed lines come before the added ones that replace them. */
function compareMiddle(old: readonly string[], current: readonly string[]): Line[] {
  const lengths = commonLengths(old, current);
  const width = current.length + 1;
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < current.length) {
    if (i < old.length && j < current.length && old[i] === current[j]) {
      lines.push({ kind: 'same', text: old[i++] ?? '' });
      j++;
    } else if (i < old.length && (j === current.length || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push({ kind: 'removed', text: old[i++] ?? '' });
    } else lines.push({ kind: 'added', text: current[j++] ?? '' });
  }
  return lines;
}

/** For each pair of positions, the length of the longest common subsequence of the rest, row by row. */
function commonLengths(old: readonly string[], current: readonly string[]): Uint32Array {
  const width = current.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = current.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        old[i] === current[j]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}

/** Unchanged lines around a change that stay visible. */
const context = 3;

export type Part = { kind: 'lines'; lines: Line[] } | { kind: 'unchanged'; count: number };

/** Replaces long unchanged parts by their number of lines. */
export function foldUnchanged(lines: readonly Line[]): Part[] {
  const isNear = nearChanges(lines);
  const parts: Part[] = [];
  for (const [index, line] of lines.entries()) {
    const last = parts.at(-1);
    if (isNear[index]) {
      if (last?.kind === 'lines') last.lines.push(line);
      else parts.push({ kind: 'lines', lines: [line] });
    } else if (last?.kind === 'unchanged') last.count++;
    else parts.push({ kind: 'unchanged', count: 1 });
  }
  return parts;
}

function nearChanges(lines: readonly Line[]): boolean[] {
  const isNear = lines.map(() => false);
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    isNear.fill(true, Math.max(0, index - context), index + context + 1);
  }
  return isNear;
}
