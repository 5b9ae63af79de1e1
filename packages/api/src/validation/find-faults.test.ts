/** The number of errors in a body does not increase the work of reporting the first ones. */
import { operations } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { countCalls } from '../../testing/count-calls.ts';
import { faultFinder } from './find-faults.ts';

const unknownNames = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`lab${index}`, 1]));

describe('faultFinder', () => {
  it('reports one fault for each field', () => {
    const findFaults = faultFinder(operations.createExperiment.body);
    expect(findFaults({ label: '', subject_id: 1, scandate: 'soon' })).toEqual([
      { pointer: '/label', detail: '/label must not be empty.' },
      {
        pointer: '/scandate',
        detail: '/scandate must be a date or a date and time, such as 2026-11-15 or 2026-11-15T08:30:00.',
      },
    ]);
  });

  it('says what a username must not contain', () => {
    const [fault] = faultFinder(operations.createUser.body)({ username: 'a:b', email: 'a@example.org' });
    expect(fault?.detail).toBe(
      '/username must not contain colons or control characters, start or end with a space, or be "." or "..".',
    );
  });

  it('reports 20 of 70,000 unknown names and searches for the nearest known name for at most 100 of them', () => {
    // The operation with the most known names to compare with.
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
