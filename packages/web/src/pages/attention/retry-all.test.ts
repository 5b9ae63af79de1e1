import { expect, it } from 'vitest';
import { retryText } from './retry-all.ts';

it.each([
  [0, 'Nothing left to retry.'],
  [1, 'Retrying 1 experiment.'],
  [200_000, 'Retrying 200,000 experiments. A bulk operation has at most 200,000. Retry the others afterwards.'],
])('a retry of %i experiments is announced as "%s"', (experiments, text) => {
  expect(retryText(experiments)).toBe(text);
});
