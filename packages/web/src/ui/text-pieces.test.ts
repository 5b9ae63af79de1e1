import { describe, expect, it } from 'vitest';
import { inPieces, withoutColours } from './text-pieces.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

describe('inPieces', () => {
  it('splits a text into pieces of 100 lines', () => {
    const pieces = inPieces(lines(250).join('\n'));
    expect(pieces.map((piece) => piece.split('\n').length)).toEqual([100, 100, 50]);
    expect(pieces.join('\n')).toBe(lines(250).join('\n'));
  });

  it('keeps empty lines and the last line break', () => {
    expect(inPieces('one\n\ntwo\n')).toEqual(['one\n\ntwo\n']);
    expect(inPieces('')).toEqual([]);
  });

  it('changes only the last pieces when lines are appended', () => {
    const before = inPieces(lines(250).join('\n'));
    const after = inPieces(lines(320).join('\n'));
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  });

  it('splits a very long line without splitting a character', () => {
    const longLine = 'x'.repeat(19_999) + '\u{1F9E0}'.repeat(30_000);
    const pieces = inPieces(longLine);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(longLine);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });

  it('splits 200,000 lines within half a second', { tags: ['nightly'] }, () => {
    const long = lines(200_000).join('\n');
    const start = performance.now();
    expect(inPieces(long)).toHaveLength(2_000);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('withoutColours', () => {
  it('removes terminal colour codes and keeps other brackets', () => {
    expect(withoutColours('\u001B[1;31mError\u001B[0m [31m]')).toBe('Error [31m]');
  });
});
