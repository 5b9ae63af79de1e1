import { expect, it } from 'vitest';
import { executionOutcome } from './execution-outcome.ts';

const next = '2026-11-15T12:00:00Z';

it.each([
  ['created', 'delayed'],
  ['queued', 'queued'],
  ['running', 'retrying'],
] as const)('one that is %s, with an attempt to come, is %s', (status, outcome) => {
  expect(executionOutcome({ status, result: 'none', next_attempt_at: next })).toBe(outcome);
});
