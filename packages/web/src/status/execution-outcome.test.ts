import { describe, expect, it } from 'vitest';
import { executionOutcome } from './execution-outcome.ts';

const next = '2026-11-15T12:00:00Z';

describe('executionOutcome', () => {
  it.each([
    ['delayed', 'created'],
    ['queued', 'queued'],
    ['retrying', 'running'],
  ] as const)('returns %j for the status %j and a scheduled attempt', (outcome, status) => {
    expect(executionOutcome({ status, result: 'none', next_attempt_at: next })).toBe(outcome);
  });
});
