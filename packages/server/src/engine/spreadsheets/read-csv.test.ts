import type { Encoding } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { readCsv } from './read-csv.ts';

async function* inPieces(bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function* kibibytes(count: number) {
  yield Buffer.from('a\n');
  for (let n = 0; n < count; n++) yield Buffer.from(`${'x'.repeat(1023)}\n`);
}

async function read(
  given: string | Buffer,
  { size = 7, encoding = 'utf-8' }: { size?: number; encoding?: Encoding } = {},
) {
  const file = await readCsv(inPieces(Buffer.from(given), size), encoding);
  const lines = [];
  for await (const { line, cells } of file.lines) lines.push([line, ...cells]);
  return { delimiter: file.delimiter, headers: file.headers, lines };
}

describe('a CSV file', () => {
  it.each([
    [',', 'a,b\n1,"x;y"\n'],
    [';', 'a;b\r\n1;"x;y"\r\n'],
    ['\t', 'a\tb\n1\tx;y'],
  ])('separated by %j is read, whatever its line ends', async (delimiter, text) => {
    expect(await read(text)).toEqual({ delimiter, headers: ['a', 'b'], lines: [[2, '1', 'x;y']] });
  });

  it('is the same in pieces of any size, with a byte order mark, quotation marks, line breaks and several bytes per character', async () => {
    const text = '\ufeff"a ""x""",b\r\n"1\n2",é€😀\r\n\r\n , \r\n3,4,5\r\n';
    const whole = await read(text, { size: 1000 });
    expect(whole.headers).toEqual(['a "x"', 'b']);
    expect(whole.lines).toEqual([
      [2, '1\n2', 'é€😀'],
      [5, '3', '4', '5'],
    ]);
    for (let size = 1; size < 12; size++) expect(await read(text, { size })).toEqual(whole);
  });

  it('is read as Windows-1252 if this is named, and is refused as UTF-8', async () => {
    const bytes = Buffer.from([...Buffer.from('name\nM'), 0xfc, ...Buffer.from('ller '), 0x80, 0x0a]);
    expect((await read(bytes, { encoding: 'windows-1252' })).lines).toEqual([[2, 'Müller €']]);
    await expect(read(bytes)).rejects.toThrow('not UTF-8');
  });

  it('can have lines that end in different ways', async () => {
    expect((await read('a,b\r\n1,2\n3,4\r\n')).lines).toEqual([
      [2, '1', '2'],
      [3, '3', '4'],
    ]);
  });

  it('has a name for each column', async () => {
    expect((await read('a,,a,b,,\n')).headers).toEqual(['a', 'column 2', 'a (2)', 'b']);
    expect((await read('a,a (2),a,a\n')).headers).toEqual(['a', 'a (2)', 'a (3)', 'a (4)']);
  });

  it.each([
    ['', 'is empty'],
    ['\n1\n', 'first line is empty'],
    ['a\n"b\n', 'not closed'],
    ['a\nb\0\n', 'NUL'],
    [`a\n${'x'.repeat(210_000)}\n`, '200,000 characters'],
    [`${'a,'.repeat(101)}a\n`, 'more than 100 columns'],
    [`${'a'.repeat(256)}\n`, '255 characters'],
  ])('%# is refused with the reason', async (text, reason) => {
    await expect(read(text, { size: 10_000 })).rejects.toThrow(reason);
  });

  it('has at most 200,000 lines', async () => {
    expect((await read(`a\n${'x\n'.repeat(200_000)}`, { size: 65_536 })).lines).toHaveLength(200_000);
    await expect(read(`a\n${'x\n'.repeat(200_001)}`, { size: 65_536 })).rejects.toThrow('more than 200,000 lines');
  });

  it('has at most 64 MiB', async () => {
    const { lines } = await readCsv(kibibytes(64 * 1024), 'utf-8');
    const readAll = async () => {
      let last = 0;
      for await (const { line } of lines) last = line;
      return last;
    };
    await expect(readAll()).rejects.toThrow('more than 64 MiB');
  });
});
