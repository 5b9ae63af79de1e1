import { describe, expect, it } from 'vitest';
import { visitLabel, workflowsOf } from './matrix-names.ts';
import type { MatrixSubject } from './use-cohort.ts';

const inWorkflows = (...ids: number[]) =>
  ({ experiments: ids.map((id) => ({ workflow: { id, label: `w${id}` } })) }) as MatrixSubject;

describe('visitLabel', () => {
  it.each([
    ['baseline', 'MC-0041-baseline'],
    ['visit 2', 'MC-0041 · visit 2'],
    ['MC-00412', 'MC-00412'],
    ['MC-0041', 'MC-0041'],
    ['MC-0041-', 'MC-0041-'],
    ['scan of MC-0041', 'scan of MC-0041'],
  ])('returns %j for experiment %j of subject "MC-0041"', (label, experiment) => {
    expect(visitLabel('MC-0041', experiment)).toBe(label);
  });
});

describe('workflowsOf', () => {
  it('returns each workflow once, ordered by id', () => {
    expect(workflowsOf([inWorkflows(3, 1), inWorkflows(3), inWorkflows()])).toEqual([
      { id: 1, label: 'w1' },
      { id: 3, label: 'w3' },
    ]);
  });
});
