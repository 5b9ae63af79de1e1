/** Notes on experiments, beyond the specification. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import * as v from '../values.ts';

export const Note = v.resource('Note', 'A comment on an experiment.', {
  id: v.Id,
  text: v.LongText,
  author: v.UserName,
  created_at: v.Time,
});

const noteExample = {
  id: 9,
  text: 'Participant moved during FLAIR; repeated once. Use the second series.',
  author: { id: 5, name: 'J. Jansen' },
  created_at: '2026-02-16T10:51:12.400Z',
};

export const noteOperations = defineOperations({
  listNotes: {
    method: 'GET',
    path: '/experiments/{id}/notes',
    summary: 'List the notes on an experiment',
    description: 'Ordered by id, oldest first.',
    access: signedIn,
    params: v.ById,
    query: v.closed(v.screenPage(100)),
    response: v.listOf('notes', Note),
    statuses: { 200: 'The notes.', 404: 'No experiment has this id.' },
    example: { response: { notes: [noteExample] } },
  },
  addNote: {
    method: 'POST',
    path: '/experiments/{id}/notes',
    summary: 'Add a note to an experiment',
    description: 'You cannot change or delete a note. To correct it, add another one.',
    access: needs('sample_update'),
    params: v.ById,
    body: v.closed({
      text: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', 'x-wanted': 'must not be blank' }),
    }),
    response: Note,
    statuses: { 201: 'The note was added.', 404: 'No experiment has this id.', 409: 'The subject was erased.' },
    example: { body: { text: noteExample.text }, response: noteExample },
  },
});
