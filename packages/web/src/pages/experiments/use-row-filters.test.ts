import { expect, it } from 'vitest';
import { executionOutcome } from '../../shown/execution-outcome.ts';
import { outcomeWord } from '../../shown/outcome.tsx';
import { statuses } from './use-row-filters.ts';

it.each(statuses)('the filter "$label" matches executions that are shown as "$label"', ({ value: status, label }) => {
  expect(outcomeWord(executionOutcome({ status, result: 'none', next_attempt_at: null }))).toBe(label);
});
