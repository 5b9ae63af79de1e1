import { describe, expect, it } from 'vitest';
import { retryStanding } from './retry-standing.ts';

const here = { id: 4, label: 'pipeline' };
const failed = {
  status: 'finished',
  result: 'failed',
  experiment: { state: here },
  callback: { state: here },
} as const;

describe('whether a run can be repeated', () => {
  it('is so while the experiment still is where it ran', () => {
    expect(retryStanding(failed, true)).toEqual({ kind: 'possible' });
    expect(retryStanding({ ...failed, result: 'timeout' }, true)).toEqual({ kind: 'possible' });
  });

  it('is not so once the experiment has moved on, and it says where to', () => {
    const moved = { ...failed, experiment: { state: { id: 5, label: 'excluded' } } };
    expect(retryStanding(moved, true)).toEqual({
      kind: 'refused',
      reason: 'Not to be run again: the experiment has moved on to excluded.',
    });
  });

  it('needs a permission, and says which', () => {
    expect(retryStanding(failed, false)).toMatchObject({ reason: expect.stringContaining('sample_state_update') });
  });

  it('is not asked while it is open or went well', () => {
    expect(retryStanding({ ...failed, result: 'success' }, true)).toEqual({ kind: 'none' });
    expect(retryStanding({ ...failed, status: 'running', result: 'none' }, true)).toEqual({ kind: 'none' });
  });
});
