/** A long text in pieces of whole lines, small enough to be laid out one at a time. */
const linesPerPiece = 100;
/** A single line may be as long as the whole: it is cut, which a reader does not see where lines wrap anyway. */
const longestPiece = 20_000;

export function inPieces(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOfPiece(text, start);
    // The line break between two pieces is the break between their boxes.
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
    else if (lines > 0 && next - start > longestPiece) break;
    else end = next;
    if (end === text.length) break;
  }
  return end - start > longestPiece ? beforePair(text, start + longestPiece) : end;
}

/** Never between the two halves of one character. */
const beforePair = (text: string, end: number) => (isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end);
const isFirstHalf = (code: number) => code >= 0xd8_00 && code <= 0xdb_ff;

// oxlint-disable-next-line no-control-regex -- the sequences begin with this character
const colours = /\u001B\[[\d;]*m/g;

/** Programs colour their output for terminals; here the codes would stand between the words. */
export const withoutColours = (text: string): string => text.replaceAll(colours, '');
