/** Splits a long text into pieces of whole lines, small enough to be laid out separately. */
const linesPerPiece = 100;
/** Longer lines are split, which is invisible because lines wrap. */
const maxPieceLength = 20_000;

export function inPieces(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOfPiece(text, start);
    // Pieces are separate blocks, so the line break between them is dropped.
    pieces.push(text.slice(start, text[end - 1] === '\n' && end < text.length ? end - 1 : end));
    start = end;
  }
  return pieces;
}

function endOfPiece(text: string, start: number): number {
  let end = start;
  for (let lines = 0; lines < linesPerPiece; lines++) {
    const next = text.indexOf('\n', end) + 1;
    if (next === 0) end = text.length;
    else if (lines > 0 && next - start > maxPieceLength) break;
    else end = next;
    if (end === text.length) break;
  }
  return end - start > maxPieceLength ? beforePair(text, start + maxPieceLength) : end;
}

/** Avoids splitting a surrogate pair. */
const beforePair = (text: string, end: number) => (isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end);
const isFirstHalf = (code: number) => code >= 0xd8_00 && code <= 0xdb_ff;

// oxlint-disable-next-line no-control-regex -- the sequences begin with this character
const colours = /\u001B\[[\d;]*m/g;

/** Removes the colour codes that programs write for terminals. */
export const withoutColours = (text: string): string => text.replaceAll(colours, '');
