import { describe, expect, it } from 'vitest';
import { aboutOthers, headline } from './about-attention.ts';

const none = {
  decide: 0,
  failed: 0,
  timed_out: 0,
  waiting: 0,
  blocked: 0,
  retrying: 0,
  new: 0,
  snoozed: 0,
  experiments: 0,
  moving: 0,
  total: 9,
};

describe('aboutOthers', () => {
  it.each([
    ['There are no experiments yet.', { total: 0 }],
    ['No experiments are moving.', {}],
    ['1 experiment is moving.', { moving: 1 }],
    ['1,304 more are moving. 12 runs are retrying automatically.', { experiments: 3, moving: 1304, retrying: 12 }],
    ['No other experiments are moving.', { experiments: 3 }],
    ['1 more is moving. 1 run is retrying automatically.', { experiments: 1, moving: 1, retrying: 1 }],
    ['', { experiments: 10_000, moving: null }],
  ])('says %j', (words, counts) => {
    expect(aboutOthers({ ...none, ...counts }, null)).toBe(words);
  });

  it('says first what is new since the last visit', () => {
    const about = aboutOthers({ ...none, experiments: 3, new: 2, moving: 1 }, '2026-11-13T17:40:00Z');
    expect(about).toMatch(/^2 items are new since .+ 1 more is moving\.$/);
  });
});

describe('headline', () => {
  it('counts experiments', () => {
    expect([0, 1, 71].map(headline)).toEqual([
      'No experiments need attention',
      '1 experiment needs attention',
      '71 experiments need attention',
    ]);
  });
});
