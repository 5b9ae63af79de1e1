import type { historyOperations } from '@milepost/api';
import { found, missingParts, noSuchId, invalidPaging } from './expectations.ts';
import { readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.experiment()).id });

export const historyCases: SectionCases<typeof historyOperations> = {
  listExperimentHistory: {
    success: {
      'returns the creation of the experiment and a note with its text': async (world) => {
        const params = await byId(world);
        const { body: note } = await world.call('addNote', { params, body: { text: 'Use the second series.' } });
        const entry = {
          actor: { kind: 'user' },
          operation: 'addNote',
          object: { kind: 'note', id: note.id },
          before: null,
          after: { experiment_id: params.id, text: 'Use the second series.' },
          reason: '',
          erased: false,
        };
        const created = { sequence: 1, operation: 'createExperiment', object: { kind: 'experiment', id: params.id } };
        return found({ params }, { history: [created, { sequence: 2, ...entry }] });
      },
    },
    validation: invalidPaging(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
};
