import { describe, expect, it } from 'vitest';
import { concernsShown } from './live-event.ts';

const shown = { experiment: { id: 112 } };

describe('concernsShown', () => {
  it('is true for an event of the experiment', () => {
    expect(concernsShown({ experiment_id: 112 }, shown)).toBe(true);
    expect(concernsShown({ experiment_id: 113 }, shown)).toBe(false);
    expect(concernsShown({ experiment_id: null }, shown)).toBe(false);
  });

  it('is true for an event of any experiment until the first response', () => {
    expect(concernsShown({ experiment_id: 113 }, undefined)).toBe(true);
    expect(concernsShown({ experiment_id: null }, undefined)).toBe(false);
  });
});
