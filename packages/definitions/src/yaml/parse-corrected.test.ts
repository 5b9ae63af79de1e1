/** Mistakes in YAML that are explained and corrected, so that the rest of the document can be read. */
import { describe, expect, it } from 'vitest';
import { originalOffset } from './edits.ts';
import { parseCorrected } from './parse-corrected.ts';

const read = (text: string) => {
  const { document, mistakes } = parseCorrected(text);
  return {
    value: document?.toJS() as unknown,
    mistakes: mistakes.map(({ code, place }) => `${code} ${place.line}:${place.col}`),
  };
};

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

  it('corrects at most 20 mistakes', () => {
    const { value, mistakes } = read(Array.from({ length: 30 }, (_, index) => `k${index}: a: b`).join('\n'));
    expect(value).toBeUndefined();
    expect(mistakes.slice(0, 20)).toEqual(
      Array.from({ length: 20 }, (_, index) => `unquoted_text ${index + 1}:${String(index).length + 4}`),
    );
  });
});

describe('originalOffset', () => {
  it('translates offsets behind insertions and replacements', () => {
    const edits = [
      { at: 10, remove: 0, insert: '"' },
      { at: 5, remove: 0, insert: '"' },
      { at: 0, remove: 2, insert: '    ' },
    ];
    expect([0, 4, 8, 14, 20].map((offset) => originalOffset(edits, offset))).toEqual([0, 2, 5, 10, 16]);
  });
});
