import type { auditOperations } from '@milepost/api';
import { found, invalid, noSuchId } from './expectations.ts';
import { none, readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

/** Adds a note as a new user. */
async function addNote(world: World) {
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
      'returns the changes of a user to an experiment, with the username': async (world) => {
        const { experiment, author, noteId } = await addNote(world);
        const query = { experiment_id: experiment.id, actor: author.id };
        const entry = {
          sequence: 2,
          actor: { kind: 'user', id: author.id, name: author.username, is_service_account: false },
          kind: 'data',
          operation: 'addNote',
          object: { kind: 'note', id: noteId, label: experiment.label, uri: null },
          after: { experiment_id: experiment.id, text: 'Use the second series.' },
          erased: false,
          chain: { kind: 'experiment', id: experiment.id },
        };
        return found({ query }, { entries: [entry] });
      },
      'combines all filters': async (world) => {
        const { experiment, author, noteId } = await addNote(world);
        const object = { object_kind: 'note', object_id: noteId, operation: 'addNote' };
        const moments = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
        const query = { actor: author.id, ...object, experiment_id: experiment.id, ...moments, limit: 1 };
        return found({ query }, { entries: [{ object: { kind: 'note', id: noteId } }] });
      },
      'returns the names of the objects to which an entry refers': async (world) => {
        const { experiment, author } = await addNote(world);
        const names = [{ kind: 'experiment', id: experiment.id, label: experiment.label }];
        return found({ query: { actor: author.id } }, { names });
      },
      'counts the entries of a day': async (world) => {
        const { author } = await addNote(world);
        const [entries, hidden] = [1, 0].map((count) => ({ count, is_exact: true }));
        const query = { actor: author.id, time_zone: 'Europe/Amsterdam' };
        return found({ query }, { days: [{ entries, hidden }] });
      },
      'returns a change of a cohort with its label and URI': async (world) => {
        const { id, label } = await world.cohort();
        const object = { kind: 'cohort', id, label, uri: `/api/v2/cohorts/${id}` };
        return found({ query: { cohort_id: id } }, { entries: [{ operation: 'createCohort', object }] });
      },
    },
    validation: {
      'rejects a limit that is not a number': () => invalid({ query: { limit: 'ten' } }, '?limit'),
      'rejects a limit above 1000': () => invalid({ query: { limit: 1001 } }, '?limit'),
      'rejects an unknown kind of object': () => invalid({ query: { object_kind: 'study' } }, '?object_kind'),
      'rejects an object id without a kind': () => invalid({ query: { object_id: 1 } }, '?object_id'),
      'rejects an unknown kind of change': () => invalid({ query: { kind: 'note' } }, '?kind'),
      'rejects an unknown time zone': () => invalid({ query: { time_zone: 'Mars/Olympus' } }, '?time_zone'),
      'rejects an offset as a time zone': () => invalid({ query: { time_zone: '+01:00' } }, '?time_zone'),
      'rejects a date that does not exist': () => invalid({ query: { from: '2026-02-30T00:00:00Z' } }, '?from'),
    },
    'missing reference': {
      'rejects an unknown experiment': () => invalid({ query: { experiment_id: noSuchId } }, '?experiment_id'),
      'rejects an unknown subject and cohort': () =>
        invalid({ query: { subject_id: noSuchId, cohort_id: noSuchId } }, '?subject_id', '?cohort_id'),
      'returns no entries for an unknown user, because the caller cannot list users': () =>
        found({ query: { actor: noSuchId } }, { entries: [] }),
      'rejects an unknown action': () =>
        invalid({ query: { object_kind: 'action', object_id: noSuchId } }, '?object_id'),
      'rejects an unknown operation': () => invalid({ query: { operation: 'addNotes' } }, '?operation'),
      'returns no entries for a note that may have been erased': () =>
        found({ query: { object_kind: 'note', object_id: noSuchId } }, { entries: [] }),
    },
    conflict: readsOnly,
  },
  listCheckpoints: {
    success: { 'returns no checkpoints without a key': () => found({}, { checkpoints: [] }) },
    validation: { 'rejects a limit that is not a number': () => invalid({ query: { limit: 'ten' } }, '?limit') },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  verifyHistory: {
    success: {
      'requests a verification': () => found({}, { status: 'requested', finished_at: null, entries: 0, fault: null }),
    },
    validation: none('The request has no parameters.'),
    'missing reference': refersToNothing,
    conflict: none('A second request returns the verification that has not finished.'),
  },
  exportAudit: {
    success: { 'starts with the header line': () => found({}, { kind: 'history', form: 1 }) },
    validation: { 'rejects an unknown filter': () => invalid({ query: { actor: 1 } }, '?actor') },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
