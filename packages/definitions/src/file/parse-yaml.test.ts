import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { countCalls } from '../../../api/testing/count-calls.ts';
import { parseYaml } from './parse-yaml.ts';
import { readYaml } from '../../../server/src/engine/threads/read-yaml.ts';

const Names = Type.Object(
  { names: Type.Optional(Type.Array(Type.String())), on: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
const parse = (text: string) => parseYaml(text, Names, '/file');
const faultOf = (text: string) => {
  const { faults, value } = parse(text);
  expect(faults).not.toEqual([]);
  // A document that is invalid YAML has no value, not even a partial one.
  if (!/\/names|already on line/.test(faults[0]?.detail ?? '')) expect(value).toBeUndefined();
  return faults[0];
};

const fill = (bytes: number) => `on: true #${'x'.repeat(bytes - 10)}`;

describe('parseYaml', () => {
  it.each([
    ['a block', 'names:\n  - a\n  - b\n', { names: ['a', 'b'] }],
    ['JSON', '{"names": ["a"]}', { names: ['a'] }],
    ['a byte order mark', '\ufeffnames: []', { names: [] }],
    ['a key without a value and treats it as absent', 'names:\non: true\n', { on: true }],
    ['dates as text', 'names: [2020-01-01]', { names: ['2020-01-01'] }],
    ['an alias', 'names: [&a x, *a]', { names: ['x', 'x'] }],
    ['50 aliases', `names: [&a x, ${Array(50).fill('*a').join(', ')}]`, { names: Array(51).fill('x') }],
    ['tags of the core schema', 'names: [!!str 5]', { names: ['5'] }],
    ['non-ASCII characters', 'names: ["Z\\u00fcrich 🧠"]', { names: ['Zürich 🧠'] }],
  ])('accepts %s', (_what, text, value) => {
    expect(parse(text)).toMatchObject({ faults: [], value });
  });

  it.each([
    ['invalid YAML', 'names: [a', { line: 1, detail: /\.$/ }],
    ['tabs as indentation', 'names:\n\t- a', { line: 2, column: 1 }],
    ['a duplicate key', 'names: []\non: true\nnames: []', { line: 3, column: 1, detail: /already on line 1/ }],
    ['two documents', 'names: []\n---\nnames: [b]', { line: 2, column: 1, detail: /second document/ }],
    ['a custom tag', 'names: !mine [a]', { line: 1, column: 8, detail: /tags/ }],
    ['a tag for code', 'names: !!js/function "x"', { column: 8, detail: /tags/ }],
    ['a tag of YAML 1.1', 'names: !!set {a}', { column: 8, detail: /tags/ }],
    ['a tag of YAML 1.1 in a YAML 1.1 document', '%YAML 1.1\n---\nnames: !!set {a}', { line: 3, detail: /tags/ }],
    ['merge keys', 'names: []\n<<: {on: true}', { line: 2, column: 1, detail: /merge keys/ }],
    ['merge keys in a YAML 1.1 document', '%YAML 1.1\n---\n<<: {on: true}', { line: 3, detail: /merge keys/ }],
    ['51 aliases', `names: [&a x, ${Array(51).fill('*a').join(', ')}]`, { line: 1, detail: /more than 50 aliases/ }],
    ['an undefined alias', 'names: [*missing]', { line: 1, column: 9, detail: /\*missing is not defined/ }],
    ['a numeric key', '1: x', { line: 1, column: 1, detail: /in quotes/ }],
    ['a list as a key', '? [a]\n: b', { line: 1, detail: /in quotes/ }],
    ['an escaped NUL', 'names: ["a\\0"]', { line: 1, column: 9, detail: /NUL/ }],
    ['a literal NUL', 'names: ["a\0"]', { line: 1, detail: /NUL/ }],
    ['a lone surrogate', 'names: ["\\ud800"]', { column: 9, detail: /lone surrogate/ }],
    ['a lone surrogate in a key', '"\\ud800": 1', { column: 1, detail: /lone surrogate/ }],
    ['an empty text', '', { line: 1, detail: /must be a mapping/ }],
    ['a text with only a comment', '# names', { line: 1, detail: /must be a mapping/ }],
    ['a list', '- names', { line: 1, detail: /must be a mapping/ }],
    ['plain text', 'names', { line: 1, detail: /must be a mapping/ }],
    ['deep nesting', `names: ${'['.repeat(3000)}${']'.repeat(3000)}`, { line: 1, detail: /nested too deeply/ }],
  ])('rejects %s', (_what, text, { detail = /./, ...place }: { line?: number; column?: number; detail?: RegExp }) => {
    const fault = faultOf(text);
    expect(fault).toMatchObject({ pointer: '/file', ...place });
    expect(fault?.detail).toMatch(/^Line \d+, column \d+: /);
    expect(fault?.detail).toMatch(detail);
  });

  it('rejects more than 256 KiB, counted in bytes, and accepts exactly 256 KiB (V5.2.1)', () => {
    expect(parse(fill(256 * 1024))).toMatchObject({ faults: [], value: { on: true } });
    expect(faultOf(fill(256 * 1024 + 1))?.detail).toContain('256 KiB');
    expect(faultOf(`on: true # ${'ü'.repeat(132_000)}`)?.detail).toContain('256 KiB');
  });

  it('rejects more than 50,000 special characters before the parser is called', () => {
    const calls = countCalls();
    expect(faultOf(`names: [${'a,'.repeat(50_000)}]`)?.detail).toMatch(
      /50,003 special characters .* at most 50,000 are allowed/,
    );
    expect(calls.calls('/yaml/')).toBe(0);
    expect(faultOf('{')?.detail).toContain('Line 1');
    expect(calls.calls('/yaml/')).toBeGreaterThan(100);
    calls.stop();
  });

  it('rejects an alias inside its own anchor', () => {
    expect(faultOf('names: &a [x, *a]')?.detail).toContain('*a is inside &a itself');
  });

  it('rejects nested aliases (the billion laughs) without expanding them (V1.5.2)', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner =
        level === 0
          ? 'lol'
          : Array(5)
              .fill(`*a${level - 1}`)
              .join(', ');
      return `a${level}: &a${level} [${inner}]`;
    });
    expect(faultOf(levels.join('\n'))?.detail).toContain('Nested aliases');
  });

  it('reports at most 20 errors of a document', () => {
    expect(parse('! '.repeat(4000)).faults).toHaveLength(20);
    expect(parse('names: []\n'.repeat(800)).faults).toHaveLength(20);
  });

  it('reports each value that does not match the schema with its position (V1.5.2)', () => {
    const text = 'names:\n  - 5\n  - b\n  - {}\non: yes\nnmaes: []\n';
    expect(parse(text).faults).toMatchObject([
      expect.objectContaining({ line: 6, column: 8, detail: expect.stringContaining('Did you mean "names"?') }),
      { pointer: '/file', line: 2, column: 5, detail: 'Line 2, column 5: /names/0 must be text.' },
      { pointer: '/file', line: 4, column: 5, detail: 'Line 4, column 5: /names/2 must be text.' },
      { pointer: '/file', line: 5, column: 5, detail: 'Line 5, column 5: /on must be true or false.' },
    ]);
  });
});

describe('readYaml of a text over 8 KiB', () => {
  const comment = `# ${'x'.repeat(9000)}\n`;

  it('returns the value and the position of each part', async () => {
    const { value, faults, positions } = await readYaml(`${comment}names:\n  - a\n`, Names, '/file');
    expect([value, faults]).toEqual([{ names: ['a'] }, []]);
    expect(positions.get('/names/0')).toEqual({ line: 3, column: 5 });
  });

  it('returns the same errors as parseYaml', async () => {
    const text = 'names: [5]\nother: 1\n';
    const inThread = await readYaml(text + comment, Names, '/file');
    expect(inThread.faults).toHaveLength(2);
    expect(inThread.faults).toEqual(parse(text).faults);
  });

  it('does not call the parser in this thread', async () => {
    const text = Array.from({ length: 4000 }, (_, index) => `k${index}: 1`).join('\n');
    const calls = countCalls();
    expect((await readYaml(text, Names, '/file')).faults).toHaveLength(20);
    expect(calls.calls('/yaml/')).toBe(0);
    parse('on: true');
    expect(calls.calls('/yaml/')).toBeGreaterThan(100);
    calls.stop();
  });
});
