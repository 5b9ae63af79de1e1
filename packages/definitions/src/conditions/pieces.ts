/** Pieces of CEL that replace tokens of another syntax, and the offsets of those tokens. */
export interface Piece {
  text: string;
  /** The offset of the token that it replaces. */
  at: number;
  /** Whether a space precedes it. */
  spaced: boolean;
}

/** With the space before the first piece that `like` has. */
export const spacedAs = (like: Pick<Piece, 'spaced'> | undefined, [first, ...others]: readonly Piece[]): Piece[] =>
  first ? [{ ...first, spaced: like?.spaced ?? false }, ...others] : [];

export const tight = (pieces: readonly Piece[]): Piece[] => spacedAs(undefined, pieces);

export function enclosed(pieces: readonly Piece[]): Piece[] {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) return [];
  return [{ text: '(', at: first.at, spaced: false }, ...tight(pieces), { text: ')', at: last.at, spaced: false }];
}

/** `end` is the end of the original. */
export function joined(pieces: readonly Piece[], end: number): { cel: string; offsetOf: (offset: number) => number } {
  let cel = '';
  const starts: number[] = [];
  for (const { text, spaced } of pieces) {
    if (spaced) cel += ' ';
    starts.push(cel.length);
    cel += text;
  }
  const offsetOf = (offset: number) => {
    if (offset >= cel.length) return end;
    const index = starts.findLastIndex((start) => start <= offset);
    const [piece, start] = [pieces[index], starts[index] ?? 0];
    return piece ? Math.min(piece.at + Math.min(offset - start, piece.text.length), end) : 0;
  };
  return { cel, offsetOf };
}
