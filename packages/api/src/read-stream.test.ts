import { describe, expect, it } from 'vitest';
import { readLines, readWholeList } from './read-stream.ts';

/** A response whose connection is closed after these texts, as a proxy does that sends neither a length nor chunks. */
const closedAfter = (...texts: string[]) => new Blob(texts).stream();

const read = async (rows: AsyncIterable<unknown>) => {
  const all: unknown[] = [];
  try {
    for await (const row of rows) all.push(row);
  } catch (error) {
    return [...all, error instanceof TypeError ? error.message : error];
  }
  return all;
};
const cut = 'terminated: the response is incomplete';

describe('readWholeList', () => {
  it.each([
    ['{"id":1}\n{"id":2}\n\n', [{ id: 1 }, { id: 2 }]],
    ['\n', []],
    ['{"id":1}\n{"id":2}\n', [{ id: 1 }, { id: 2 }, cut]],
    ['{"id":1}\n{"id":2}', [{ id: 1 }, cut]],
    ['{"id":1}\n{"i', [{ id: 1 }, cut]],
    ['', [cut]],
  ])('of %j returns %j', async (text, expected) => {
    expect(await read(readWholeList(closedAfter(text)))).toEqual(expected);
    expect(await read(readWholeList(closedAfter(...text.split(/(?=.)/s))))).toEqual(expected);
  });
});

describe('readLines', () => {
  it('throws if the response ends within a line', async () => {
    expect(await read(readLines(closedAfter('{"id":1}\n{"id":2}\n')))).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await read(readLines(closedAfter('{"id":1}\n{"id"')))).toEqual([{ id: 1 }, cut]);
  });
});
