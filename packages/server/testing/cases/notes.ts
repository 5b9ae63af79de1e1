import type { noteOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, invalidPaging } from './expectations.ts';
import { none, readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.experiment()).id });
const body = { text: 'Use the second series.' };

export const noteCases: SectionCases<typeof noteOperations> = {
  listNotes: {
    success: {
      'returns the notes of an experiment': async (world) => {
        const params = await byId(world);
        const { body: note } = await world.call('addNote', { params, body });
        return found({ params }, { notes: [note] });
      },
      'returns an empty list for an experiment without notes': async (world) =>
        found({ params: await byId(world) }, { notes: [] }),
    },
    validation: invalidPaging(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  addNote: {
    success: {
      'adds a note without changing the version of the experiment': async (world) => {
        const { id } = await world.experiment();
        return {
          request: { params: { id }, body },
          status: 201,
          body,
          stored: {
            query: `select notes.text, notes.cohort_id = experiments.cohort_id as of_its_cohort, experiments.version,
              (select data from events where object_kind = 'note' and object_id = notes.id) as data
              from notes join experiments on experiments.id = experiment_id where experiment_id = $1`,
            values: [id],
            // Conditions do not read notes, so the version of the experiment does not change.
            rows: [{ ...body, of_its_cohort: true, version: '1', data: { experiment_id: id } }],
          },
        };
      },
    },
    validation: {
      'rejects a text of only whitespace': async (world) =>
        invalid({ params: await byId(world), body: { text: ' \n' } }, '/text'),
      'rejects a text longer than 10,000 characters': async (world) =>
        invalid({ params: await byId(world), body: { text: 'x'.repeat(10_001) } }, '/text'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, body),
    conflict: none('Notes are independent of each other, so they cannot conflict.'),
  },
};
