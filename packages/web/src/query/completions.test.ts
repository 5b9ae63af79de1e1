import { describe, expect, it } from 'vitest';
import { offersOfKeys, offersOfNames, offersOfValues } from './completions.ts';

const now = new Date(2026, 10, 18);
const textsOf = (offers: readonly { text: string }[]) => offers.map(({ text }) => text);

describe('offered names', () => {
  it('begin with the typed text, or else contain it', () => {
    expect(textsOf(offersOfNames('sta'))).toEqual(['state:', 'in-state>']);
  });

  it('end with the character that follows them', () => {
    expect(textsOf(offersOfNames('')).filter((text) => /^(var|cohort|in-state)/.test(text))).toEqual([
      'cohort:',
      'in-state>',
      'var.',
    ]);
  });
});

describe('offered values', () => {
  it('are those of a choice, and then those of the server', () => {
    expect(textsOf(offersOfValues('incident', 'n', [], now))).toEqual(['none', 'no_way_on', 'any', 'unclaimed']);
    expect(offersOfValues('state', 'vis', [{ text: 'visual qc', detail: 'brain_mri' }], now)).toEqual([
      { text: 'visual qc', detail: 'brain_mri', insert: '"visual qc"', isComplete: true },
    ]);
  });

  it('are dates of today for a scan date', () => {
    expect(textsOf(offersOfValues('scanned', '2026', [], now))).toEqual(['2026-11-18', '2026-11', '2026']);
  });
});

it('quotes a variable with a space', () => {
  expect(offersOfKeys([{ text: 'slice count', detail: null }])).toMatchObject([{ insert: '"slice count":' }]);
});
