import { describe, expect, it } from 'vitest';
import { inPieces, withoutColours } from './text-pieces.ts';

const lines = (count: number) => Array.from({ length: count }, (_, place) => `line ${place}`);

describe('a text in pieces', () => {
  it('has all of its lines, a hundred to a piece', () => {
    const pieces = inPieces(lines(250).join('\n'));
    expect(pieces.map((piece) => piece.split('\n').length)).toEqual([100, 100, 50]);
    expect(pieces.join('\n')).toBe(lines(250).join('\n'));
  });

  it('keeps its last line break, and empty lines', () => {
    expect(inPieces('one\n\ntwo\n')).toEqual(['one\n\ntwo\n']);
    expect(inPieces('')).toEqual([]);
  });

  it('only changes at its end when lines are added', () => {
    const before = inPieces(lines(250).join('\n'));
    const after = inPieces(lines(320).join('\n'));
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  });

  it('cuts one endless line, but no character', () => {
    const endless = 'x'.repeat(19_999) + '\u{1F9E0}'.repeat(30_000);
    const pieces = inPieces(endless);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(endless);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });

  it('is cut within half a second, however long it is', { tags: ['nightly'] }, () => {
    const long = lines(200_000).join('\n');
    const start = performance.now();
    expect(inPieces(long)).toHaveLength(2_000);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('the codes of a terminal', () => {
  it('are left out, and brackets stay', () => {
    expect(withoutColours('\u001B[1;31mError\u001B[0m [31m]')).toBe('Error [31m]');
  });
});
