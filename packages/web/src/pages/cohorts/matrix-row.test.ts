import { describe, expect, it } from 'vitest';
import { doneOf, expectedOf, experimentOf, firstGap, markOf, otherExperiments } from './matrix-row.ts';
import type { MatrixExperiment, MatrixSubject } from './use-cohort.ts';

const experiment = (id: number, visit: string, more: Partial<MatrixExperiment> = {}) =>
  ({ id, visit, state: { id }, incidents: [], waits: null, overdue: false, ...more }) as unknown as MatrixExperiment;
const subject = {
  experiments: [experiment(1, 'baseline'), experiment(2, 'month-6'), experiment(3, 'baseline'), experiment(4, 'extra')],
} as MatrixSubject;
const visits = ['baseline', 'month-6', 'month-12'];

describe('the row of a subject', () => {
  it('shows the first experiment of each visit, and a gap for a visit without one', () => {
    expect(visits.map((visit) => experimentOf(subject, visit)?.id)).toEqual([1, 2, undefined]);
    expect(firstGap(subject, visits)).toBe('month-12');
  });

  it('lists second experiments of a visit and those of rare visits as others', () => {
    expect(otherExperiments(subject, visits).map(({ id }) => id)).toEqual([3, 4]);
  });

  it('counts the experiments with a good outcome, or all final ones, of the visits and the others', () => {
    const outcomes = { 1: 'good', 2: 'bad', 4: 'good' } as const;
    const lookOf = ({ id }: { id: number }) => ({ outcome: outcomes[id as 1 | 2 | 4] as 'good' | 'bad' | undefined });
    expect(doneOf(subject, { lookOf, goodOnly: true })).toBe(2);
    expect(doneOf(subject, { lookOf, goodOnly: false })).toBe(3);
    expect(expectedOf(subject, visits)).toBe(5);
  });
});

describe('markOf', () => {
  it.each([
    ['failed', { incidents: ['failed' as const], waits: 'decision' as const, overdue: true }],
    ['timed_out', { waits: 'decision' as const, overdue: true }],
    ['timed_out', { waits: 'report' as const, overdue: true }],
    ['decide', { waits: 'decision' as const }],
    [undefined, { waits: 'report' as const }],
  ])('marks an experiment as %j for %j', (name, more) => {
    expect(markOf(experiment(1, 'baseline', more))?.name).toBe(name);
  });
});
