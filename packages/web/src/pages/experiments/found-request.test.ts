import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../live/live-event.ts';
import { fieldsWithoutCounts, isAbout, touchesPage } from './found-request.ts';

const eventOf = (about: Partial<LiveEvent>): LiveEvent => ({
  id: 1,
  at: '',
  kind: 'setExperimentState',
  object_kind: 'experiment',
  object_id: 5,
  cohort_id: 7,
  experiment_id: 5,
  workflow_id: 1,
  data: {},
  ...about,
});

it('a page without counts requests the fields of its columns', () => {
  expect(fieldsWithoutCounts).toBe(
    'experiments{id,label,scandate,subject{id,label},cohort{id,label},workflow{id,label},state{id,label},' +
      'withdrawn,entered_at,changed_at,incidents,executions,external_ids},next',
  );
});

describe('a page of found experiments', () => {
  const page = { experiments: [{ id: 3 }] };

  it('changes with the experiments that it shows, and the first page with those that it may show', () => {
    expect(touchesPage(true)(eventOf({}), page)).toBe('later');
    expect(touchesPage(false)(eventOf({}), page)).toBe(false);
    expect(touchesPage(false)(eventOf({ experiment_id: 3 }), page)).toBe('later');
    expect(touchesPage(false)(eventOf({}))).toBe('later');
  });

  it('ignores experiments of other workflows and cohorts that it does not show', () => {
    const touches = touchesPage(true, isAbout(1, 7));
    expect(touches(eventOf({}), page)).toBe('later');
    expect(touches(eventOf({ workflow_id: 2 }), page)).toBe(false);
    expect(touches(eventOf({ cohort_id: 8 }), page)).toBe(false);
    expect(touches(eventOf({ workflow_id: 2, experiment_id: 3 }), page)).toBe('later');
    expect(touches(eventOf({ workflow_id: null, cohort_id: null }), page)).toBe('later');
    expect(touchesPage(true, isAbout(1, undefined))(eventOf({ cohort_id: 8 }), page)).toBe('later');
  });

  it('can change with the parent or label of any object', () => {
    const touches = touchesPage(false, isAbout(1, 7));
    expect(touches(eventOf({ kind: 'updateSubject', experiment_id: null, cohort_id: 8 }), page)).toBe('later');
    expect(touches(eventOf({ kind: 'createSubject', experiment_id: null }), page)).toBe(false);
  });
});
