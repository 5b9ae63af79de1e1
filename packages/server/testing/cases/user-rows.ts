import type { userRowOperations } from '@milepost/api';
import { found, invalid, invalidPaging } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';

export const userRowCases: SectionCases<typeof userRowOperations> = {
  listUserRows: {
    success: {
      'returns a user who never signed in, without roles for a caller who cannot read them': async (world) => {
        const { id, username } = await world.user();
        const row = { id, username, name: '', active: true, kind: 'person', roles: null, last_sign_in_at: null };
        return found({ query: { after: id - 1, limit: 1 } }, { users: [row] });
      },
      'returns only inactive users whose name contains a text': async (world) => {
        const { id, username } = await world.inactiveAdmin();
        return found({ query: { find: username.toUpperCase(), active: false } }, { users: [{ id, active: false }] });
      },
    },
    validation: {
      ...invalidPaging(),
      'rejects an empty text to find': () => invalid({ query: { find: '' } }, '?find'),
    },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
