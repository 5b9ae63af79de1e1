/** A body with more faults than anybody reads takes no more work than one with a few: the first ones are told. */
import { operations } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { countCalls } from '../../testing/count-calls.ts';
import { faultFinder } from './validate.ts';

const unknownNames = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`lab${index}`, 1]));

describe('a body with 70,000 unknown names', () => {
  it('has 20 faults, and the nearest names are sought for no more than a hundred', () => {
    // The operation with the most names that an unknown one may be near to.
    const findFaults = faultFinder(operations.updateCallbackExecution.body);
    const [hundred, many] = [unknownNames(100), unknownNames(70_000)];
    const counter = countCalls();
    findFaults(hundred);
    const searched = counter.calls('nearest-name');
    expect(findFaults(many)).toHaveLength(20);
    expect(counter.calls('nearest-name')).toBe(searched);
    expect(searched).toBeGreaterThan(100);
    counter.stop();
  });
});
