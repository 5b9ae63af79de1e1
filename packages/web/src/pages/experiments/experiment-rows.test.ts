import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../live/live-event.ts';
import { type RowFilters, touchesRows } from './experiment-rows.ts';

const event = (change: Partial<LiveEvent>) =>
  ({ experiment_id: 12, cohort_id: 7, workflow_id: 1, data: {}, ...change }) as LiveEvent;

const page = { experiments: [{ id: 11 }, { id: 14 }] };
const touches = (filters: RowFilters, change: Partial<LiveEvent>, shown: unknown = page) =>
  touchesRows(filters, { after: 10, limit: 2 })(event(change), shown);

describe('touchesRows', () => {
  it('accepts only events of experiments in the id range of the page', () => {
    expect(touches({}, {})).toBe(true);
    expect(touches({}, { experiment_id: 15 })).toBe(false);
    expect(touches({}, { experiment_id: null })).toBe(false);
  });

  it('ignores events of experiments that the filters exclude', () => {
    expect(touches({ cohort_id: 8 }, {})).toBe(false);
    expect(touches({ workflow_id: 2 }, {})).toBe(false);
    expect(touches({ workflow_id: 2 }, { workflow_id: null })).toBe(true);
  });

  it('accepts every update of an experiment or subject, which may change its parent or label', () => {
    const elsewhere = { experiment_id: 15, cohort_id: 8 };
    expect(touches({ cohort_id: 7 }, { ...elsewhere, kind: 'setExperimentState' })).toBe(false);
    expect(touches({ cohort_id: 7 }, { ...elsewhere, kind: 'updateExperiment' })).toBe(true);
    expect(touches({ subject_id: 41 }, { ...elsewhere, kind: 'updateExperiment' })).toBe(true);
    expect(touches({}, { experiment_id: null, kind: 'updateSubject' })).toBe(true);
    expect(touches({}, { experiment_id: null, kind: 'createSubject' })).toBe(false);
  });

  it("accepts only events of the subject's listed and new experiments on a subject page", () => {
    expect(touches({ subject_id: 41 }, { experiment_id: 14 })).toBe(true);
    expect(touches({ subject_id: 41 }, { experiment_id: 12 })).toBe(false);
    expect(touches({ subject_id: 41 }, { experiment_id: 900, data: { subject_id: 41 } })).toBe(true);
    expect(touches({ subject_id: 41 }, { experiment_id: 900, data: { subject_id: 42 } })).toBe(false);
  });

  it('accepts events of any experiment while the page of a subject is loading', () => {
    expect(touchesRows({ subject_id: 41 }, { after: undefined, limit: 2 })(event({}))).toBe(true);
  });
});
