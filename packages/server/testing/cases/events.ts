import type { eventOperations } from '@milepost/api';
import { found, invalid } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';

export const eventCases: SectionCases<typeof eventOperations> = {
  listEvents: {
    success: {
      'from now on': () => found({}, { event: 'ready' }),
      'behind what is not known': () => found({ headers: { 'last-event-id': 'nowhere' } }, { event: 'reset' }),
    },
    validation: {
      'an experiment that is no id': () => invalid({ query: { experiment_id: 'mine' } }, '?experiment_id'),
      'a filter that nobody knows': () => invalid({ query: { state_id: 1 } }, '?state_id'),
    },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
