import { describe, expect, it } from 'vitest';
import { aboutPastWorkflow, aboutWorkflow, finishedIn } from './about-workflow.ts';

const state = (id: number, experiments: number, more: object = {}) => ({
  state: { id, label: `s${id}`, uri: `/api/v2/states/${id}` },
  experiments,
  attention: 0,
  retrying: 0,
  ...more,
});

describe('aboutWorkflow', () => {
  it('counts active and finished experiments, those that need attention and those that are retrying', () => {
    const states = [state(1, 1300, { attention: 70, retrying: 12 }), state(2, 75, { attention: 1 }), state(3, 8406)];
    const finished = finishedIn(states, ({ id }) => id === 3);
    expect(aboutWorkflow(states, finished)).toBe(
      '1,375 experiments active, 8,406 finished. 71 need attention, 12 are retrying automatically.',
    );
  });

  it('uses the singular, and says if there is nothing', () => {
    expect(aboutWorkflow([state(1, 1, { attention: 1, retrying: 1 })], 0)).toBe(
      '1 experiment active, 0 finished. 1 needs attention, 1 is retrying automatically.',
    );
    expect(aboutWorkflow([state(1, 2)], 2)).toBe('0 experiments active, 2 finished. None need attention.');
    expect(aboutWorkflow([state(1, 0)], 0)).toBe('No experiments yet.');
  });
});

describe('aboutPastWorkflow', () => {
  it('counts active and finished experiments only', () => {
    expect(aboutPastWorkflow([state(1, 1300), state(2, 200)], 200)).toBe('1,300 experiments active, 200 finished.');
    expect(aboutPastWorkflow([state(1, 0)], 0)).toBe('No experiments.');
  });
});
