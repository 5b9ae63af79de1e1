import type { auditOperations } from '@milepost/api';
import { found, invalid, noSuchId } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

/** A user who has written a note on an experiment. */
async function noted(world: World) {
  const experiment = await world.experiment();
  const author = await world.user('sample_update');
  const params = { id: experiment.id };
  const { body } = await world.call('addNote', {
    params,
    body: { text: 'Use the second series.' },
    as: author.username,
  });
  return { experiment, author, noteId: body.id as number };
}

export const auditCases: SectionCases<typeof auditOperations> = {
  listAudit: {
    success: {
      'what somebody did to an experiment, by name': async (world) => {
        const { experiment, author, noteId } = await noted(world);
        const query = { experiment_id: experiment.id, actor: author.id };
        const entry = {
          sequence: 2,
          actor: { kind: 'user', id: author.id, name: author.username },
          operation: 'addNote',
          object: { kind: 'note', id: noteId, label: experiment.label, uri: null },
          after: { experiment_id: experiment.id, text: 'Use the second series.' },
          erased: false,
          chain: { kind: 'experiment', id: experiment.id },
        };
        return found({ query }, { entries: [entry] });
      },
      'by every filter at once': async (world) => {
        const { experiment, author, noteId } = await noted(world);
        const object = { object_kind: 'note', object_id: noteId, operation: 'addNote' };
        const moments = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
        const query = { actor: author.id, ...object, experiment_id: experiment.id, ...moments, limit: 1 };
        return found({ query }, { entries: [{ object: { kind: 'note', id: noteId } }] });
      },
      'a change of a cohort, with where it is': async (world) => {
        const { id, label } = await world.cohort();
        const object = { kind: 'cohort', id, label, uri: `/api/v2/cohorts/${id}` };
        return found({ query: { cohort_id: id } }, { entries: [{ operation: 'createCohort', object }] });
      },
    },
    validation: {
      'a limit that is no number': () => invalid({ query: { limit: 'ten' } }, '?limit'),
      'a larger page than there is': () => invalid({ query: { limit: 1001 } }, '?limit'),
      'a kind that nobody knows': () => invalid({ query: { object_kind: 'study' } }, '?object_kind'),
      'an object without its kind': () => invalid({ query: { object_id: 1 } }, '?object_id'),
      'a moment that no calendar has': () => invalid({ query: { from: '2026-02-30T00:00:00Z' } }, '?from'),
    },
    'missing reference': {
      'an unknown experiment has none': () => found({ query: { experiment_id: noSuchId } }, { entries: [] }),
      'an unknown user has done nothing': () => found({ query: { actor: noSuchId } }, { entries: [] }),
      'an unknown action has none': () =>
        found({ query: { object_kind: 'action', object_id: noSuchId } }, { entries: [] }),
    },
    conflict: readsOnly,
  },
  listCheckpoints: {
    success: { 'none without a key': () => found({}, { checkpoints: [] }) },
    validation: { 'a limit that is no number': () => invalid({ query: { limit: 'ten' } }, '?limit') },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  exportAudit: {
    success: { 'from its heading on': () => found({}, { kind: 'history', form: 1 }) },
    validation: { 'a filter that it has not': () => invalid({ query: { actor: 1 } }, '?actor') },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
