import { describe, expect, it } from 'vitest';
import { compareLines, foldUnchanged, type Line } from './compare-lines.ts';

const shown = (lines: readonly Line[]) =>
  lines.map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`);
const compared = (before: string, after: string) => shown(compareLines(before, after));

const manyLines = (name: string) => Array.from({ length: 2100 }, (_, line) => `${name} ${line}`);

describe('compareLines', () => {
  it('shows a changed line as a removed and an added one', () => {
    expect(compared('a\nb\nc\n', 'a\nB\nc\n')).toEqual([' a', '-b', '+B', ' c']);
  });

  it('shows lines that were only added or only removed', () => {
    expect(compared('a\nc\n', 'a\nb\nc\n')).toEqual([' a', '+b', ' c']);
    expect(compared('a\nb\nc\n', 'a\nc\n')).toEqual([' a', '-b', ' c']);
    expect(compared('', 'a\n')).toEqual(['+a']);
    expect(compared('a\n', '')).toEqual(['-a']);
  });

  it('finds unchanged lines between changes', () => {
    expect(compared('x\na\nb\ny\n', 'a\nz\nb\n')).toEqual(['-x', ' a', '+z', ' b', '-y']);
  });

  it('ignores the kind of line ends and the last one', () => {
    expect(compared('a\r\nb\r\n', 'a\nb')).toEqual([' a', ' b']);
  });

  it('shows texts that differ in too many lines as replaced, with only their common beginning and end', () => {
    const before = ['start', ...manyLines('a'), 'common', 'end'].join('\n');
    const after = ['start', 'common', ...manyLines('b'), 'end'].join('\n');
    const lines = compareLines(before, after);
    expect(lines.filter(({ kind }) => kind === 'same').map(({ text }) => text)).toEqual(['start', 'end']);
    expect(lines.findIndex(({ kind }) => kind === 'added')).toBe(1 + 2101);
  });

  it('returns lines from which both texts can be restored', () => {
    const [before, after] = ['a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc'];
    const lines = compareLines(before, after);
    const without = (kind: Line['kind']) => lines.filter((line) => line.kind !== kind).map(({ text }) => text);
    expect([without('added').join('\n'), without('removed').join('\n')]).toEqual([before, after]);
  });
});

describe('foldUnchanged', () => {
  it('keeps three lines around each change', () => {
    const numbers = Array.from({ length: 20 }, (_, line) => String(line));
    const parts = foldUnchanged(compareLines(numbers.join('\n'), numbers.with(10, 'ten').join('\n')));
    expect(parts.map((part) => (part.kind === 'lines' ? shown(part.lines) : part.count))).toEqual([
      7,
      [' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13'],
      6,
    ]);
  });

  it('returns one part without lines for equal texts', () => {
    expect(foldUnchanged(compareLines('a\nb', 'a\nb'))).toEqual([{ kind: 'unchanged', count: 2 }]);
  });
});
