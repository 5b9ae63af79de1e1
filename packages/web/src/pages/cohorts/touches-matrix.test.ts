import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../live/live-event.ts';
import { touchesMatrix } from './touches-matrix.ts';

const event = (change: Partial<LiveEvent>): LiveEvent => ({
  id: 1,
  at: '2026-11-15T08:30:00Z',
  kind: 'setExperimentState',
  object_kind: 'experiment',
  object_id: 900,
  cohort_id: 7,
  experiment_id: null,
  workflow_id: 1,
  data: {},
  ...change,
});

const page = {
  subjects: [
    { id: 41, experiments: [{ id: 112 }] },
    { id: 50, experiments: [] },
  ],
};
const touches = (change: Partial<LiveEvent>) => touchesMatrix(7)(event(change), page);

const filtered = (change: Partial<LiveEvent>) => touchesMatrix(7, true)(event(change), page);

describe('touchesMatrix', () => {
  it('accepts events of experiments on the page, and ignores events of other experiments', () => {
    expect(touches({ experiment_id: 112 })).toBe(true);
    expect(touches({ experiment_id: 113 })).toBe(false);
  });

  it('accepts a new experiment only if its subject is on the page', () => {
    expect(touches({ kind: 'createExperiment', experiment_id: 900, data: { subject_id: 50 } })).toBe(true);
    expect(touches({ kind: 'createExperiment', experiment_id: 900, data: { subject_id: 51 } })).toBe(false);
  });

  it('accepts a subject that can have come to any page of the cohort later', () => {
    const entered = { kind: 'updateSubject', object_kind: 'subject', object_id: 45 };
    expect(touches(entered)).toBe('later');
    expect(touches({ ...entered, cohort_id: 8 })).toBe(false);
  });

  it('accepts an event that assigns a subject on the page to another cohort', () => {
    expect(touches({ kind: 'updateSubject', object_kind: 'subject', object_id: 41, cohort_id: 8 })).toBe(true);
  });

  it('accepts an update of an experiment, which may assign it to another subject', () => {
    expect(touches({ kind: 'updateExperiment', experiment_id: 113 })).toBe(true);
  });

  it('accepts a workflow import, which may rename states', () => {
    expect(touches({ kind: 'importWorkflow', object_kind: 'workflow', object_id: 1, cohort_id: null })).toBe(true);
  });

  it('accepts any event of the cohort later if the page is filtered', () => {
    expect(filtered({ experiment_id: 113 })).toBe('later');
    expect(filtered({ experiment_id: 113, cohort_id: 8 })).toBe(false);
    expect(filtered({ experiment_id: 112 })).toBe(true);
  });
});
