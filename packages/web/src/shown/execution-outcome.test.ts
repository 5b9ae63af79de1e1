import { expect, it } from 'vitest';
import { executionOutcome } from './execution-outcome.ts';

const next = '2026-11-15T12:00:00Z';

it.each([
  ['created', 'delayed'],
  ['queued', 'queued'],
  ['running', 'retrying'],
] as const)('returns for status %s with a scheduled attempt: %s', (status, outcome) => {
  expect(executionOutcome({ status, result: 'none', next_attempt_at: next })).toBe(outcome);
});
