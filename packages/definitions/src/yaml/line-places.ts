/** Lines and columns of offsets in a text. The line counter of the library misses lines if the text has errors. */
export interface Place {
  line: number;
  col: number;
}

export function linePlaces(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = lastAtMost(starts, offset);
    return { line: line + 1, col: offset - (starts[line] ?? 0) + 1 };
  };
}

/** The index of the last start that is not after the offset. */
export function lastAtMost(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
