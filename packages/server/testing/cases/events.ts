import type { eventOperations } from '@milepost/api';
import { found, invalid, noSuchId } from './expectations.ts';
import { readsOnly, type SectionCases } from './matrix.ts';

export const eventCases: SectionCases<typeof eventOperations> = {
  listEvents: {
    success: {
      'starts a stream with the event `ready`': () => found({}, { event: 'ready' }),
      'starts with the event `reset` after an unknown position': () =>
        found({ headers: { 'last-event-id': 'nowhere' } }, { event: 'reset' }),
    },
    validation: {
      'rejects an experiment id that is not a number': () =>
        invalid({ query: { experiment_id: 'mine' } }, '?experiment_id'),
      'rejects an unknown kind of object': () => invalid({ query: { object_kind: 'study' } }, '?object_kind'),
      'rejects an unknown filter': () => invalid({ query: { state_id: 1 } }, '?state_id'),
    },
    'missing reference': {
      'rejects an unknown experiment': () => invalid({ query: { experiment_id: noSuchId } }, '?experiment_id'),
      'rejects an unknown cohort and workflow': () =>
        invalid({ query: { cohort_id: noSuchId, workflow_id: noSuchId } }, '?cohort_id', '?workflow_id'),
      'rejects an unknown kind of change': () => invalid({ query: { kind: 'setExperimentSate' } }, '?kind'),
    },
    conflict: readsOnly,
  },
};
