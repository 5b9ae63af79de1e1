import { describe, expect, it } from 'vitest';
import { retryAvailability } from './retry-availability.ts';

const state = { id: 4 };
const failed = {
  status: 'finished',
  result: 'failed',
  experiment: { state },
  callback: { state },
} as const;

describe('a retry', () => {
  it('is available while the experiment is in the state of the run', () => {
    expect(retryAvailability(failed, 'Pipeline', true)).toEqual({ kind: 'available' });
    expect(retryAvailability({ ...failed, result: 'timeout' }, 'Pipeline', true)).toEqual({ kind: 'available' });
  });

  it('is unavailable once the experiment has moved, and the reason names the new state', () => {
    const moved = { ...failed, experiment: { state: { id: 5 } } };
    expect(retryAvailability(moved, 'Excluded', true)).toEqual({
      kind: 'unavailable',
      reason: 'You cannot retry this run, because the experiment has moved to Excluded.',
    });
  });

  it('is unavailable without the permission, and the reason names the permission', () => {
    expect(retryAvailability(failed, 'Pipeline', false)).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('sample_state_update'),
    });
  });

  it('is not offered for active and successful runs', () => {
    expect(retryAvailability({ ...failed, result: 'success' }, 'Pipeline', true)).toEqual({ kind: 'none' });
    expect(retryAvailability({ ...failed, status: 'running', result: 'none' }, 'Pipeline', true)).toEqual({
      kind: 'none',
    });
  });
});
