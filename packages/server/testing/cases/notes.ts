import type { noteOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, wrongPages } from './expectations.ts';
import { none, readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.experiment()).id });
const body = { text: 'Use the second series.' };

export const noteCases: SectionCases<typeof noteOperations> = {
  listNotes: {
    success: {
      'one that somebody wrote': async (world) => {
        const params = await byId(world);
        const { body: note } = await world.call('addNote', { params, body });
        return found({ params }, { notes: [note] });
      },
      'none yet': async (world) => found({ params: await byId(world) }, { notes: [] }),
    },
    validation: wrongPages(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  addNote: {
    success: {
      'some words': async (world) => {
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
            // No condition reads notes, so the experiment stays as it was.
            rows: [{ ...body, of_its_cohort: true, version: '1', data: { experiment_id: id } }],
          },
        };
      },
    },
    validation: {
      'nothing but spaces': async (world) => invalid({ params: await byId(world), body: { text: ' \n' } }, '/text'),
      'more than is kept': async (world) =>
        invalid({ params: await byId(world), body: { text: 'x'.repeat(10_001) } }, '/text'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, body),
    conflict: none('Notes are added beside each other, so nothing can conflict.'),
  },
};
