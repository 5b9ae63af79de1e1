/** JSON from clients: rejected values, the location of errors, and bounded work for large bodies. */
import { describe, expect, it } from 'vitest';
import { cpuMilliseconds } from '../../../api/testing/cpu-milliseconds.ts';
import { countCalls } from '../../../api/testing/count-calls.ts';
import { Problem } from '../errors.ts';
import { parseJson } from './json.ts';

const rejectionOf = (text: string): Problem => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('the text was not rejected');
};

const listOf = (length: number, element: string) => `{"a":[${Array<string>(length).fill(element).join(',')}]}`;

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the errors of a body', () => {
  it('are reported with their pointers, including errors in names', () => {
    const { faults } = rejectionOf(String.raw`{"a": [1, {"b/c": "\u0000"}], "d": {"\ud800": 1}, "e": "\udc00"}`);
    expect(faults.map(({ pointer }) => pointer)).toEqual(['/a/1/b~1c', '/d/(a name)', '/e']);
    expect(faults[0]?.detail).toMatch(/^\/a\/1\/b~1c contains a NUL character/);
  });

  it('are reported up to a limit of 20', () => {
    expect(rejectionOf(`{${listOf(100_000, String.raw`"\u0000"`).slice(1)}`).faults).toHaveLength(20);
  });

  it('include nesting deeper than 32 levels', () => {
    expect(parseJson(nested(32))).toHaveLength(1);
    expect(rejectionOf(nested(33)).faults[0]).toMatchObject({ detail: 'The body is nested deeper than 32 levels.' });
  });
});

const pointersOf = (text: string) => rejectionOf(text).faults.map(({ pointer }) => pointer);

describe('duplicate names', () => {
  it('are rejected, however they are escaped', () => {
    const text = String.raw`{"a": 1, "list": [{}, {"b/c": "}\\", "x": {"a": 1}, "b\u002fc" : []}], "\u0061": "a", "__proto__": 1}`;
    expect(pointersOf(text)).toEqual(['/list/1/b~1c', '/a']);
    expect(rejectionOf(text).faults[1]?.detail).toBe('/a is given more than once.');
    expect(pointersOf('{"": 1, "": 1, "__proto__": 1, "__proto__": 1, "7": 1, "7": 2}')).toEqual([
      '/',
      '/__proto__',
      '/7',
    ]);
  });

  it('are allowed in different objects and as values', () => {
    for (const text of [
      '[{"a": 1}, {"a": 1}]',
      '{"a": {"a": "a"}}',
      '["a", "a"]',
      String.raw`{"a": "\",\"a\":", "b": "a:b"}`,
    ])
      expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('are reported up to a limit of 20, and not inside values nested deeper than 32 levels', () => {
    expect(pointersOf(`{${'"a":0,'.repeat(100_000)}"a":0}`)).toHaveLength(20);
    const deep = `${'{"a":'.repeat(100_000)}{"b":0,"b":0}${'}'.repeat(100_000)}`;
    expect(pointersOf(`{"a":${deep},"a":0}`)).toEqual(['/a']);
  });

  it.each([
    ['names', `{${Array.from({ length: 100_000 }, (_, index) => `"${index}":0`).join(',')},"0":0}`, ['/0']],
    ['escapes', String.raw`{"a":"${String.raw`\"`.repeat(1_000_000)}","a":"${'\\\\'.repeat(1_000_000)}"}`, ['/a']],
    ['opening brackets', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"a":0}`, ['/a']],
  ])('are found among very many %s', (_what, text, pointers) => {
    expect(pointersOf(text)).toEqual(pointers);
  });
});

describe('a number', () => {
  it('is rejected if it is too large', () => {
    expect(rejectionOf('{"a": [1e999, -1e999, 1e308]}').faults).toMatchObject([
      { pointer: '/a/0' },
      { pointer: '/a/1' },
    ]);
  });

  it('is rejected if it is an integer that would lose digits', () => {
    const text = '{"a": {"b": [12345678901234567890, -9007199254740993]}, "c": 9007199254740993}';
    expect(rejectionOf(text).faults.map(({ detail }) => detail)).toEqual(
      ['/a/b/0', '/a/b/1', '/c'].map((pointer) => `${pointer} is too large for a number. Send it as text.`),
    );
  });

  it('is accepted if it is a long integer without lost digits, or has a fraction or an exponent', () => {
    const text =
      '[9007199254740992, 10000000000000000, 0.12345678901234567890, 12345678901234567e3, "12345678901234567890"]';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });
});

describe('a body with many values', () => {
  it('can have up to 500,000 values', () => {
    // The body and the list count as two values.
    expect(parseJson(listOf(499_998, '{ }'))).toMatchObject({ a: { length: 499_998 } });
    for (const element of ['{}', '[ ]', '0', '""']) {
      expect(rejectionOf(listOf(499_999, element)).message).toContain('more than 500,000 values');
    }
  });

  it('is not rejected for brackets and commas inside strings', () => {
    const text = String.raw`{[,\",[{`.repeat(500_000);
    expect(parseJson(`["${text}"]`)).toHaveLength(1);
  });

  it.each(['{}', '[]', '0', String.raw`"\u0000"`])(
    'such as 16 MiB of %s is rejected before it is parsed',
    (element) => {
      const text = listOf(Math.floor((16 * 1024 * 1024) / (element.length + 1)), element);
      // The text is incomplete, which only the parser would report.
      expect(rejectionOf(text.slice(0, -1)).message).toContain('more than 500,000 values');
    },
  );

  it('needs at most 10 function calls per value', () => {
    const most = 10 * 2 * 100_000;
    const text = listOf(100_000, '{"name":""}');
    const counter = countCalls();
    parseJson(text);
    expect(counter.calls()).toBeLessThan(most);
    rejectionOf(`${text.slice(0, -1)},"a":0}`);
    expect(counter.calls()).toBeLessThan(most);
    counter.stop();
  });
});

describe('parseJson', () => {
  it.each([
    ['a body with the maximum number of objects', () => listOf(249_999, '{"name":""}')],
    [
      'a body with very many names',
      () => `{${Array.from({ length: 490_000 }, (_, index) => `"${index}":0`).join(',')},"0":0}`,
    ],
    [
      'a body with very many escapes',
      () => `{"a":"${String.raw`\"`.repeat(4_000_000)}","a":"${'\\\\'.repeat(4_000_000)}"}`,
    ],
    ['a body with very many opening brackets', () => `{"a":${'['.repeat(240_000)}${']'.repeat(240_000)},"a":0}`],
    ['a body of 16 MiB', () => listOf(5_000_000, '{}')],
  ])('needs less than one second of CPU time for %s', { tags: ['nightly'] }, (_what, make) => {
    const text = make();
    const read = () => {
      try {
        parseJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
      }
    };
    expect(cpuMilliseconds(read)).toBeLessThan(1000);
  });
});
