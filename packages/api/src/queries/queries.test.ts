/** The query language: reading, printing, errors and completion. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../testing/seed.ts';
import { conditionOf } from './conditions.ts';
import { completeQuery } from './complete-query.ts';
import { queryNameList, ruleOf, type QueryName } from './names.ts';
import { printQuery } from './print-query.ts';
import { readQuery } from './read-query.ts';
import { maxQueryLength, maxTerms, type Term } from './terms.ts';

/** Without positions and lengths. */
const bare = (terms: readonly Term[]): Term[] =>
  JSON.parse(
    JSON.stringify(terms, (key, value: unknown) => (key === 'position' || key === 'length' ? undefined : value)),
  );
const errorsOf = (text: string) =>
  readQuery(text).errors.map(({ position, length, ...error }) => ({
    at: text.slice(position, position + length),
    ...error,
  }));
const conditions = (text: string) => readQuery(text).terms.map(conditionOf);

describe('reading a query', () => {
  it('reads filters, ranges, comparisons, words and negations', () => {
    const text =
      'state:visual_qc,failed -incident:any in-state>3d scanned:2026-01..2026-03 var.scanner:Prisma "burned in" 0029';
    const { terms, errors } = readQuery(text);
    expect(errors).toEqual([]);
    expect(terms.map(({ position, length }) => text.slice(position, position + length))).toEqual([
      'state:visual_qc,failed',
      '-incident:any',
      'in-state>3d',
      'scanned:2026-01..2026-03',
      'var.scanner:Prisma',
      '"burned in"',
      '0029',
    ]);
    expect(bare(terms)[1]).toMatchObject({ name: 'incident', negated: true });
    expect(bare(terms)[5]).toMatchObject({ kind: 'word', text: 'burned in' });
  });

  it('reads values and keys with any character in quotes', () => {
    const { terms, errors } = readQuery(String.raw`cohort:"a, b","say \"x\"" var."my name: x":"1..2"`);
    expect(errors).toEqual([]);
    expect(terms).toMatchObject([
      { values: [{ text: 'a, b' }, { text: 'say "x"' }] },
      { key: 'my name: x', values: [{ text: '1..2', quoted: true }] },
    ]);
  });

  it.each([
    ['scanned:2026', [['>=2026-01-01', '<2027-01-01']]],
    ['scanned:2026-12', [['>=2026-12-01', '<2027-01-01']]],
    ['scanned:2024-02-29', [['>=2024-02-29', '<2024-03-01']]],
    ['scanned:2026-01..2026-03', [['>=2026-01-01', '<2026-04-01']]],
    ['scanned:..2026-03', [['<2026-04-01']]],
    ['scanned>2026-01', [['>=2026-02-01']]],
    ['scanned>=2026-01', [['>=2026-01-01']]],
    ['scanned<2026-01', [['<2026-01-01']]],
    ['scanned<=2026-01', [['<2026-02-01']]],
    ['in-state>3d', [['>259200000']]],
    ['in-state:12h..2d', [['>=43200000', '<=172800000']]],
    ['id:5,7..', [['>=5', '<=5'], ['>=7']]],
    ['arrived:2026-11-09..2026-11-15', [['>=2026-11-09', '<2026-11-16']]],
    ['left."visual qc">=2026-11', [['>=2026-11-01']]],
  ])('gives %s its bounds', (text, bounds) => {
    const [condition] = conditions(text);
    const anyOf = condition && 'anyOf' in condition ? condition.anyOf : [];
    expect(anyOf.map((all) => all.map(({ operator, value }) => `${operator}${value}`))).toEqual(bounds);
  });

  it('reads a star at the end as a prefix, unless it is in quotes', () => {
    expect(conditions('label:MC-*,"MC-*"')).toMatchObject([
      {
        values: [
          { text: 'MC-', isPrefix: true },
          { text: 'MC-*', isPrefix: false },
        ],
      },
    ]);
  });
});

describe('errors', () => {
  it.each([
    ['stat:done', 'stat', 'No filter `stat`.', 'Did you mean state?'],
    ['http://x', 'http', 'No filter `http`.', expect.stringContaining('in quotes')],
    ['incident:faild', 'faild', '`faild` is not a valid value.', 'Did you mean "failed"?'],
    ['scanned:2026-13', '2026-13', '`2026-13` is not a valid value.', expect.stringContaining('2026-01-31')],
    ['scanned:2026-03..2026-01', '2026-03..2026-01', expect.any(String), expect.any(String)],
    ['in-state:3d', '3d', '`3d` is not a valid value.', expect.stringContaining('in-state>3d')],
    ['var:x', 'var', '`var` needs the name of the variable.', 'Write var.NAME:value.'],
    ['entered:2026', 'entered', '`entered` needs the name of the state.', 'Write entered.NAME:value.'],
    ['failed.x:yes', 'yes', '`yes` is not a valid value.', expect.stringContaining('2026-01-31')],
    ['state.x:y', 'state.x', '`state` takes no name after a dot.', 'Write state:value.'],
    ['state>x', 'state', '`state` cannot be compared.', 'Write state:value.'],
  ])('%s points at %s', (text, at, message, hint) => {
    expect(errorsOf(`id:5 -${text} word`)).toEqual([{ at, message, suggestion: hint }]);
  });

  it.each([
    ['state:', ' '],
    ['"open', '"open'],
    ['""', '""'],
    ['-', '-'],
    ['a"b', 'a'],
    ['id:5"x"', '"'],
  ])('%s is rejected', (text, at) => {
    expect(errorsOf(`${text} `)[0]?.at.trimEnd()).toBe(at.trimEnd());
  });

  it('reports all errors and keeps the terms that are right', () => {
    const { terms, errors } = readQuery('stat:x id:5 cohrt:y');
    expect(errors.map(({ suggestion }) => suggestion)).toEqual(['Did you mean state?', 'Did you mean cohort?']);
    expect(terms).toMatchObject([{ name: 'id' }]);
  });

  it('limits the length and the number of terms', () => {
    expect(readQuery('a'.repeat(maxQueryLength + 1)).errors).toMatchObject([{ position: maxQueryLength, length: 1 }]);
    expect(readQuery('a '.repeat(maxTerms)).errors).toEqual([]);
    expect(readQuery('a '.repeat(maxTerms + 1)).errors).toMatchObject([{ position: 2 * maxTerms, length: 1 }]);
  });
});

const text = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'ab0-.,:<>=*" \\ö'.split('')) });
const place = { position: fc.constant(0), length: fc.constant(0) };
const valueFor: Record<string, fc.Arbitrary<string>> = {
  number: fc.constantFrom('5', '5..9', '..7'),
  date: fc.constantFrom('2026', '2026-01..'),
  duration: fc.constantFrom('3d..', '12h..2d'),
};
const filter = (name: QueryName) => {
  const { takes, key, values } = ruleOf(name);
  const ofChoice = fc.constantFrom(...(values ?? ['x']));
  const given = takes === 'choice' ? ofChoice : (valueFor[takes] ?? (takes === 'variable' ? fc.constant('a') : text));
  const value = fc.record({ ...place, text: given, quoted: fc.constant(takes === 'name' || takes === 'text') });
  return fc.record({
    ...place,
    kind: fc.constant('filter' as const),
    negated: fc.boolean(),
    name: fc.constant(name),
    key: key ? text : fc.constant(''),
    operator: fc.constant(':' as const),
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  });
};
const word = fc.record({
  ...place,
  kind: fc.constant('word' as const),
  negated: fc.boolean(),
  text: text.filter((one) => one.trim() !== ''),
});
const terms = fc.array(fc.oneof(word, ...queryNameList.map(filter)), { maxLength: 6 });

describe('printing', () => {
  it('prints terms as a text that reads as the same terms', () => {
    fc.assert(
      fc.property(terms, (made: Term[]) => {
        const read = readQuery(printQuery(made));
        expect(read.errors).toEqual([]);
        expect(bare(read.terms)).toEqual(bare(made));
      }),
      { seed, numRuns: 2000 },
    );
  });

  it('reads any text without failing, and prints what it read as the same query', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'idvar.:5,"\\->< *ä\n'.split('')) }), (given) => {
        const read = readQuery(given);
        for (const { position, length } of read.errors) {
          expect(position).toBeGreaterThanOrEqual(0);
          expect(length).toBeGreaterThan(0);
        }
        expect(bare(readQuery(printQuery(read.terms)).terms)).toEqual(bare(read.terms));
      }),
      { seed, numRuns: 5000 },
    );
  });
});

/** The cursor is at `|`. */
const at = (marked: string) => {
  const cursor = marked.indexOf('|');
  const whole = marked.replace('|', '');
  const { position, length, ...found } = completeQuery(whole, cursor);
  return { ...found, replaces: whole.slice(position, position + length) };
};

describe('completion', () => {
  it.each([
    ['|', { part: 'name', typed: '', replaces: '' }],
    ['id:5 sta|te:x', { part: 'name', typed: 'sta', replaces: 'state' }],
    ['-inc|', { part: 'name', typed: 'inc', replaces: 'inc' }],
    ['state:vis|ual id:5', { part: 'value', name: 'state', key: '', typed: 'vis', replaces: 'visual' }],
    ['-state:a,b|,c', { part: 'value', name: 'state', key: '', typed: 'b', replaces: 'b' }],
    [
      'cohort:"memory cl|inic" x',
      { part: 'value', name: 'cohort', key: '', typed: 'memory cl', replaces: '"memory clinic"' },
    ],
    ['cohort:"a,b|', { part: 'value', name: 'cohort', key: '', typed: 'a,b', replaces: '"a,b' }],
    ['var.sc|:1', { part: 'key', name: 'var', typed: 'sc', replaces: 'sc' }],
    ['external.XNAT:E0|', { part: 'value', name: 'external', key: 'XNAT', typed: 'E0', replaces: 'E0' }],
    ['in-state>3|', { part: 'value', name: 'in-state', key: '', typed: '3', replaces: '3' }],
    ['"burned i|n" x', { part: 'text', typed: 'burned i', replaces: '"burned in"' }],
  ])('%s', (marked, expected) => {
    expect(at(marked)).toEqual(expected);
  });
});
