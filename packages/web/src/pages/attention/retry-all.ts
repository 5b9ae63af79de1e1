import { maxBulkExperiments } from '@milepost/api';
import { count, countOf } from '../../ui/numbers.ts';

/** What a retry of so many experiments does. A bulk operation changes a limited number of them. */
export function retryText(experiments: number): string {
  if (experiments === 0) return 'Nothing left to retry.';
  const rest =
    experiments < maxBulkExperiments
      ? ''
      : ` A bulk operation has at most ${count(maxBulkExperiments)}. Retry the others afterwards.`;
  return `Retrying ${countOf(experiments, 'experiment')}.${rest}`;
}
