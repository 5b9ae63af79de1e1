import type { eventOperations } from '@milepost/api';
import { found, invalid } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';

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
      'rejects an unknown filter': () => invalid({ query: { state_id: 1 } }, '?state_id'),
    },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
