/** JSON from clients: what it may hold, where its faults are, and that a large body takes little work. */
import { describe, expect, it } from 'vitest';
import { coreMilliseconds } from '../../testing/core-milliseconds.ts';
import { countCalls } from '../../testing/count-calls.ts';
import { Problem } from '../errors.ts';
import { parseJson } from './json.ts';

const refusalOf = (text: string): Problem => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

const listOf = (length: number, element: string) => `{"a":[${Array<string>(length).fill(element).join(',')}]}`;

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('faults of a body', () => {
  it('are told with their places, also those of names', () => {
    const { faults } = refusalOf(String.raw`{"a": [1, {"b/c": "\u0000"}], "d": {"\ud800": 1}, "e": "\udc00"}`);
    expect(faults.map(({ pointer }) => pointer)).toEqual(['/a/1/b~1c', '/d/(a name)', '/e']);
    expect(faults[0]?.detail).toMatch(/^\/a\/1\/b~1c holds a NUL character/);
  });

  it('are told up to twenty', () => {
    expect(refusalOf(`{${listOf(100_000, String.raw`"\u0000"`).slice(1)}`).faults).toHaveLength(20);
  });

  it('are found 32 levels deep, and the 33rd is refused', () => {
    expect(parseJson(nested(32))).toHaveLength(1);
    expect(refusalOf(nested(33)).faults[0]).toMatchObject({ detail: 'The body is nested deeper than 32 levels.' });
  });
});

const told = (text: string) => refusalOf(text).faults.map(({ pointer }) => pointer);

describe('names that are given more than once', () => {
  it('are refused where they repeat, in whatever way they are written', () => {
    const text = String.raw`{"a": 1, "list": [{}, {"b/c": "}\\", "x": {"a": 1}, "b\u002fc" : []}], "\u0061": "a", "__proto__": 1}`;
    expect(told(text)).toEqual(['/list/1/b~1c', '/a']);
    expect(refusalOf(text).faults[1]?.detail).toBe('/a is given more than once: give it once.');
    expect(told('{"": 1, "": 1, "__proto__": 1, "__proto__": 1, "7": 1, "7": 2}')).toEqual(['/', '/__proto__', '/7']);
  });

  it('are no fault in different objects, or as values', () => {
    for (const text of [
      '[{"a": 1}, {"a": 1}]',
      '{"a": {"a": "a"}}',
      '["a", "a"]',
      String.raw`{"a": "\",\"a\":", "b": "a:b"}`,
    ])
      expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('are told up to twenty, and not from inside of what was dropped below 32 levels', () => {
    expect(told(`{${'"a":0,'.repeat(100_000)}"a":0}`)).toHaveLength(20);
    const deep = `${'{"a":'.repeat(100_000)}{"b":0,"b":0}${'}'.repeat(100_000)}`;
    expect(told(`{"a":${deep},"a":0}`)).toEqual(['/a']);
  });

  it.each([
    ['names', `{${Array.from({ length: 100_000 }, (_, index) => `"${index}":0`).join(',')},"0":0}`, ['/0']],
    ['escapes', String.raw`{"a":"${String.raw`\"`.repeat(1_000_000)}","a":"${'\\\\'.repeat(1_000_000)}"}`, ['/a']],
    ['openings', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"a":0}`, ['/a']],
  ])('are found among very many %s', (_what, text, pointers) => {
    expect(told(text)).toEqual(pointers);
  });
});

describe('a number', () => {
  it('that no number can hold is refused', () => {
    expect(refusalOf('{"a": [1e999, -1e999, 1e308]}').faults).toMatchObject([{ pointer: '/a/0' }, { pointer: '/a/1' }]);
  });
});

describe('a body of many values', () => {
  it('may have half a million', () => {
    // The body, the list, and what is in it.
    expect(parseJson(listOf(499_998, '{ }'))).toMatchObject({ a: { length: 499_998 } });
    for (const element of ['{}', '[ ]', '0', '""']) {
      expect(refusalOf(listOf(499_999, element)).message).toContain('more than 500,000 values');
    }
  });

  it('is not refused for signs inside its texts', () => {
    const text = String.raw`{[,\",[{`.repeat(500_000);
    expect(parseJson(`["${text}"]`)).toHaveLength(1);
  });

  it.each(['{}', '[]', '0', String.raw`"\u0000"`])('of 16 MiB made of %s is refused before it is parsed', (element) => {
    const text = listOf(Math.floor((16 * 1024 * 1024) / (element.length + 1)), element);
    // A parser would find that it does not end.
    expect(refusalOf(text.slice(0, -1)).message).toContain('more than 500,000 values');
  });

  it('takes at most 10 function calls per value', () => {
    const most = 10 * 2 * 100_000;
    const text = listOf(100_000, '{"name":""}');
    const counter = countCalls();
    parseJson(text);
    expect(counter.calls()).toBeLessThan(most);
    refusalOf(`${text.slice(0, -1)},"a":0}`);
    expect(counter.calls()).toBeLessThan(most);
    counter.stop();
  });
});

describe("within a second of a core's time reads", () => {
  it.each([
    ['a body of as many objects as it may have', () => listOf(249_999, '{"name":""}')],
    [
      'one with very many names',
      () => `{${Array.from({ length: 490_000 }, (_, index) => `"${index}":0`).join(',')},"0":0}`,
    ],
    [
      'one with very many escapes',
      () => `{"a":"${String.raw`\"`.repeat(4_000_000)}","a":"${'\\\\'.repeat(4_000_000)}"}`,
    ],
    ['one with very many openings', () => `{"a":${'['.repeat(240_000)}${']'.repeat(240_000)},"a":0}`],
    ['one of 16 MiB', () => listOf(5_000_000, '{}')],
  ])('%s', { tags: ['nightly'] }, (_what, make) => {
    const text = make();
    const read = () => {
      try {
        parseJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
      }
    };
    expect(coreMilliseconds(read)).toBeLessThan(1000);
  });
});
