import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differences, needsNote, parseOutcomes, parseTable, printTable, withColumn, type Row } from './table.ts';

const text = readFileSync(new URL('./methods.tsv', import.meta.url), 'utf8');
const label: Row = { owner: 'Cohort', call: 'label', studyGovernor: 'works', here: 'works', note: '' };
const lifespan: Row = {
  ...label,
  owner: 'State',
  call: 'lifespan',
  here: "KeyError: 'lifespan'",
  note: 'No such field.',
};
const outcomes = parseOutcomes("Cohort\tlabel\tworks\nState\tlifespan\tKeyError: 'lifespan'\n");

describe('printTable', () => {
  it('prints the table unchanged', () => expect(printTable(parseTable(text))).toBe(text));
});

describe('the committed table of client calls', () => {
  it('has a note for every call that fails on either server', () => {
    expect(parseTable(text).filter(needsNote)).toEqual([]);
  });
});

describe('differences', () => {
  it('returns no differences if every outcome is in the table', () =>
    expect(differences([label, lifespan], outcomes)).toEqual([]));

  it.each<[string, Row[], string]>([
    [
      'another outcome',
      [{ ...label, here: 'returns None' }, lifespan],
      'Cohort label: works, and the table says: returns None',
    ],
    ['a call without a row', [lifespan], 'Cohort label: works, and the table has no row.'],
    [
      'a row without a call',
      [label, lifespan, { ...label, call: 'name' }],
      'Cohort name: the table has a row, but there is no such call.',
    ],
    [
      'a failure without a note',
      [label, { ...lifespan, note: '' }],
      'State lifespan: fails, and the table has no note.',
    ],
    [
      'a failure on Study Governor without a note',
      [{ ...label, studyGovernor: 'returns None' }, lifespan],
      'Cohort label: fails, and the table has no note.',
    ],
  ])('returns %s', (_what, rows, line) => expect(differences(rows, outcomes)).toEqual([line]));
});

describe('withColumn', () => {
  it('replaces one column, keeps the notes, and follows the calls', () => {
    const old = [
      { ...lifespan, here: 'works' },
      { ...label, call: 'name' },
    ];
    expect(withColumn(old, 'here', outcomes)).toEqual([{ ...label, studyGovernor: '' }, lifespan]);
  });
});
