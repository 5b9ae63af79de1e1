import { expect, it } from 'vitest';
import { executionOutcome } from '../../shown/execution-outcome.ts';
import { outcomeWord } from '../../shown/outcome.tsx';
import { statuses } from './use-row-filters.ts';

it.each(statuses)('an execution that matches the filter $label is shown as $label', ({ value: status, label }) => {
  expect(outcomeWord(executionOutcome({ status, result: 'none', next_attempt_at: null }))).toBe(label);
});
