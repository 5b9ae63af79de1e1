/** Mistakes in YAML that are explained and corrected, so that the rest of the document can be read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countCalls, type CallCounter } from '../../../api/testing/count-calls.ts';
import { backFrom, corrected } from './edits.ts';
import { parseCorrected } from './parse-corrected.ts';

const read = (text: string) => {
  const { document, mistakes } = parseCorrected(text);
  return {
    value: document?.toJS() as unknown,
    mistakes: mistakes.map(({ code, place }) => `${code} ${place.line}:${place.col}`),
  };
};

const longText = (mistakes: number, rest: string) => `a:\n${'  - b: 1\n   c: 2\n'.repeat(mistakes)}${rest}`;

describe('parseCorrected', () => {
  it.each([
    ['a placeholder', 'a: {{x.y}}/z # comment\n', { a: '{{x.y}}/z' }, ['unquoted_placeholder 1:4']],
    ['a placeholder alone', 'a: {{x.y}}\nb: 1', { a: '{{x.y}}', b: 1 }, ['unquoted_placeholder 1:4']],
    ['a placeholder in { }', 'a: {b: {{x}}/y, c: 1}', { a: { b: '{{x}}/y', c: 1 } }, ['unquoted_placeholder 1:8']],
    ['a text with a colon', 'a: b: c\nd: 1', { a: 'b: c', d: 1 }, ['unquoted_text 1:4']],
    ['a text with a colon and quotes', `a: it's "b": c`, { a: `it's "b": c` }, ['unquoted_text 1:4']],
    ['a text in { } with a colon', 'a: {b: c: d, e: 1}', { a: { b: 'c: d', e: 1 } }, ['unquoted_text 1:8']],
    ['a text that begins with @', 'a: @b', { a: '@b' }, ['unquoted_text 1:4']],
    [
      'conditions in { }',
      "- {condition: a['b'] in ['c', 'd'], by: e}\n- {condition: f[\"g\"] == \"h\"}",
      [{ condition: "a['b'] in ['c', 'd']", by: 'e' }, { condition: 'f["g"] == "h"' }],
      ['unquoted_condition 1:15', 'unquoted_condition 2:15'],
    ],
    [
      'a condition that begins with a quote',
      "condition: 'a' == b",
      { condition: "'a' == b" },
      ['unquoted_condition 1:12'],
    ],
    [
      'quotes inside quotes',
      `a: "b["c"] == 'd'"\ne: 'f['g']'\nh: "i "j""`,
      { a: `b["c"] == 'd'`, e: "f['g']", h: 'i "j"' },
      ['unquoted_text 1:4', 'unquoted_text 2:4', 'unquoted_text 3:4'],
    ],
    [
      'quotes inside quotes in { }',
      `- {condition: "a["b"] == "c"", by: "d"}\n- {condition: 'a == 'b'', by: d}`,
      [
        { condition: 'a["b"] == "c"', by: 'd' },
        { condition: "a == 'b'", by: 'd' },
      ],
      ['unquoted_condition 1:15', 'unquoted_condition 2:15'],
    ],
    [
      'escaped quotes beside quotes that end the value',
      String.raw`a: "b[\"c\"] == "d""` + `\ne: 'it''s 'f''\ng: 'h['i'] == '' && j'\n` + String.raw`k: "'l' \\ "m""`,
      { a: 'b["c"] == "d"', e: "it's 'f'", g: "h['i'] == '' && j", k: String.raw`'l' \ "m"` },
      ['unquoted_text 1:4', 'unquoted_text 2:4', 'unquoted_text 3:4', 'unquoted_text 4:4'],
    ],
    [
      'a condition that begins and ends with quotes',
      "condition: 'a' == 'b'",
      { condition: "'a' == 'b'" },
      ['unquoted_condition 1:12'],
    ],
    [
      'a line that is indented too little',
      'a:\n  - b: 1\n   c: 2\n  - b: 3\n',
      { a: [{ b: 1, c: 2 }, { b: 3 }] },
      ['wrong_indentation 3:4'],
    ],
    [
      'a line that is indented too much',
      'a:\n  - b: x\n      c: 2\n',
      { a: [{ b: 'x', c: 2 }] },
      ['wrong_indentation 3:7'],
    ],
    [
      'an item that is indented too little',
      'a:\n  - b: 1\n - b: 2\n',
      { a: [{ b: 1 }, { b: 2 }] },
      ['wrong_indentation 3:2'],
    ],
    [
      'a block that is indented too little',
      'a:\n    - b: 1\n   - b: 2\n     c: 3\nd: 4\n',
      { a: [{ b: 1 }, { b: 2, c: 3 }], d: 4 },
      ['wrong_indentation 3:4'],
    ],
    [
      'an item without a dash',
      'a:\n  - b: 1\n  b: 2\n    c: 3\n',
      { a: [{ b: 1 }, { b: 2, c: 3 }] },
      ['wrong_indentation 3:3'],
    ],
    ['a tab', 'a:\n  b: 1\n\tc: 2\n', { a: { b: 1, c: 2 } }, ['wrong_indentation 3:2']],
  ])('explains and corrects %s', (_what, text, value, mistakes) => {
    expect(read(text)).toEqual({ value, mistakes });
  });

  it.each([
    [`condition: "a["b"] == "c""`, `condition: "a['b'] == 'c'"`],
    [`condition: "a['b'] == "c""`, `condition: "a['b'] == 'c'"`],
    [`condition: 'a['b'] == 'c''`, `condition: "a['b'] == 'c'"`],
    [`condition: "a == "it's""`, `condition: "a == \\"it's\\""`],
    [`title: "Accept "all""`, `title: 'Accept "all"'`],
    [String.raw`condition: "a[\"b\"] == "c""`, `condition: "a['b'] == 'c'"`],
    [`a: 'it''s 'b''`, `a: "it's 'b'"`],
    [String.raw`a: "C:\\ "b""`, String.raw`a: 'C:\ "b"'`],
    [String.raw`a: C:\b: c`, String.raw`a: 'C:\b: c'`],
  ])('advises for %s', (text, advice) => {
    const { mistakes } = parseCorrected(text);
    expect(mistakes.map(({ detail }) => detail)).toEqual([expect.stringContaining(` Write ${advice}.`)]);
    expect(parseCorrected(advice).mistakes).toEqual([]);
  });

  it('leaves valid texts as they are', () => {
    const text = `a: {b: [1, "c: d"], e: 'f'}\ng: |\n  h: i: j\n   k\nl: m['n'] == "o" # p: q\n`;
    expect(read(text)).toEqual({
      value: { a: { b: [1, 'c: d'], e: 'f' }, g: 'h: i: j\n k\n', l: 'm[\'n\'] == "o"' },
      mistakes: [],
    });
  });

  it('reports other mistakes without a document, after those that it corrected', () => {
    expect(read('a: b: c\nd: [1\ne: 2\n')).toEqual({
      value: undefined,
      mistakes: ['unquoted_text 1:4', 'yaml_syntax 3:1'],
    });
  });

  it('corrects the quotes of many lines at once, so that a long text does not need many corrections', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `k${index}: a: b\nl${index}: {c: {{d}}}`);
    const { value, mistakes } = read(`${'#'.repeat(8_000)}\n${lines.join('\n')}`);
    expect([value === undefined, mistakes.length]).toEqual([false, 18]);
  });

  it('corrects the indentation of many lines of a long text', () => {
    const usual = `  - {label: state, freetext: ${'A person checks the images. '.repeat(4)}}\n`.repeat(600);
    expect(usual.length).toBeGreaterThan(80_000);
    const { value, mistakes } = read(longText(9, usual));
    expect([value === undefined, mistakes.length]).toEqual([false, 9]);
  });

  it('corrects fewer mistakes of a text that takes long to parse', () => {
    const { value, mistakes } = read(longText(9, '  - [[[[],[],[],[]]]]\n'.repeat(2_500)));
    const explained = mistakes.filter((mistake) => mistake.startsWith('wrong_indentation'));
    expect([value === undefined, explained.length]).toEqual([true, 3]);
  });

  it('corrects at most 20 mistakes', () => {
    const { value, mistakes } = read(Array.from({ length: 30 }, (_, index) => `k${index}: a: b`).join('\n'));
    expect(value).toBeUndefined();
    expect(mistakes.slice(0, 20)).toEqual(
      Array.from({ length: 20 }, (_, index) => `unquoted_text ${index + 1}:${String(index).length + 4}`),
    );
  });
});

describe('backFrom', () => {
  const edits = [
    { at: 0, remove: 2, insert: '    ' },
    { at: 5, remove: 0, insert: '"' },
    { at: 10, remove: 0, insert: '"' },
  ];

  it('translates offsets behind insertions and replacements', () => {
    const back = backFrom(edits);
    expect([0, 4, 7, 8, 13, 14, 20].map(back)).toEqual([0, 2, 5, 5, 10, 10, 16]);
  });

  it('belongs to the text with all edits of the correction', () => {
    expect(corrected('  label: {{a}}', edits)).toBe('    lab"el: {"{a}}');
  });
});

describe('the work for a text with wrong indentations', () => {
  let counter: CallCounter;
  beforeAll(() => {
    counter = countCalls();
  });
  afterAll(() => counter.stop());

  const ours = '/definitions/src/';
  const callsFor = (textOf: (count: number) => string, count: number) => {
    const text = textOf(count);
    counter.calls();
    const { document, mistakes, placeOf } = parseCorrected(text);
    for (let at = 0; at < count; at++) placeOf(Math.floor((at / count) * text.length));
    const calls = counter.calls(ours);
    expect([document === undefined, mistakes.length]).toEqual([false, 1]);
    return calls;
  };

  it.each([
    ['of a long block', (count: number) => `a:\n    - b: 1\n${'   - b: 2\n     c: 3\n'.repeat(count)}`],
    [
      'below many levels',
      (count: number) =>
        `${Array.from({ length: count }, (_, level) => `${' '.repeat(level)}a:\n`).join('')}${' '.repeat(count)}- b: 1\n${' '.repeat(count + 1)}c: 3\n`,
    ],
  ])('grows with the number of lines, not faster, if it is the indentation %s', (_what, textOf) => {
    callsFor(textOf, 50);
    const [few, many] = [callsFor(textOf, 100), callsFor(textOf, 200)];
    expect(many / few).toBeLessThan(2.2);
  });
});
