import { describe, expect, it } from 'vitest';
import { reportedResult } from './reported-result.ts';

describe('reportedResult', () => {
  it('names a result that was reported before the run finished', () => {
    expect(reportedResult({ status: 'running', result: 'success' })).toBe('Succeeded. Counts when the run finishes.');
  });

  it('says that a finished run has no result', () => {
    expect(reportedResult({ status: 'finished', result: 'none' })).toBe('None');
  });

  it.each([
    ['waiting', 'none'],
    ['finished', 'failed'],
    ['skipped', 'none'],
  ] as const)('returns null for the status %s and the result %s', (status, result) => {
    expect(reportedResult({ status, result })).toBeNull();
  });
});
