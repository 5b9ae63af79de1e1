import { expect, it } from 'vitest';
import { executionOutcome } from '../../status/execution-outcome.ts';
import { outcomeWord } from '../../status/outcome.tsx';
import { statuses } from './use-row-filters.ts';

it.each(statuses)('the filter "$label" matches runs that are shown as "$label"', ({ value: status, label }) => {
  expect(outcomeWord(executionOutcome({ status, result: 'none', next_attempt_at: null }))).toBe(label);
});
