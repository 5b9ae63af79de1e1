import { describe, expect, it } from 'vitest';
import { cellOf, csvLine } from './csv.ts';

const lineOf = (...values: unknown[]) => csvLine(values.map((value) => cellOf({ value }, ['value'])));

describe('a line of CSV', () => {
  it('ends with CRLF', () => {
    expect(lineOf('a', 3, true)).toBe('a,3,true\r\n');
  });

  it('quotes commas, quotes and line breaks', () => {
    expect(lineOf('a "quoted", one\nand another', 'x\ry')).toBe('"a ""quoted"", one\nand another","x\ry"\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('escapes %j, which a spreadsheet would run as a formula', (text) => {
    expect(lineOf(text)).toBe(`'${text}\r\n`);
  });

  it('escapes a formula after a carriage return', () => {
    expect(lineOf('\r=1')).toBe(`"'\r=1"\r\n`);
  });

  it('does not escape negative numbers', () => {
    expect(lineOf(-1.5)).toBe('-1.5\r\n');
  });

  it('has an empty cell for null and for a missing field, and JSON for lists and objects', () => {
    expect(lineOf(null, undefined, [1, 'a'], { b: 1 })).toBe(',,"[1,""a""]","{""b"":1}"\r\n');
    expect(cellOf({ a: { b: 'c' } }, ['a', 'b'])).toBe('c');
    expect(cellOf({ a: null }, ['a', 'b'])).toBe('');
    expect(cellOf({ a: {} }, ['a', 'constructor'])).toBe('');
  });

  it('joins the texts of a field of the elements of a list', () => {
    const row = { runs: [{ name: 'a' }, { name: '=b' }, { name: null }] };
    expect(cellOf(row, ['runs', 'name'])).toBe("a; '=b; ");
    expect(cellOf({ runs: [] }, ['runs', 'name'])).toBe('');
  });
});
