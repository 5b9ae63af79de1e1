/** Notes on experiments. */
import type { Note, noteOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { created, type Handlers } from '../../http/call.ts';
import { getExperiment, lockExperiment } from '../../store/experiments/experiments.ts';
import * as notes from '../../store/experiments/notes.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { listAnswer } from '../lists.ts';

type NewNoteCall = Parameters<Handlers<typeof noteOperations>['addNote']>[0];

const defaultLimit = 100;

export const noteHandlers: Handlers<typeof noteOperations> = {
  async listNotes({ database, account, params, query }) {
    const { id } = await getExperiment(database.db, account.scope, params);
    const page = { ...query, limit: query.limit ?? defaultLimit };
    return listAnswer('notes', await notes.listNotes(database, account.scope, id, page), showNote);
  },

  async addNote(call) {
    const { database, account } = call;
    const note = await inTransaction(database.db, async (tx) =>
      notes.getNote(tx, account.scope, await addNote(tx, call)),
    );
    return created(showNote(note));
  },
};

/** Locks the experiment, so that the note and its event get its current cohort. */
async function addNote(tx: Tx, call: NewNoteCall): Promise<number> {
  const { id: experimentId, cohort_id: cohortId } = await lockExperiment(tx, call.account.scope, call.params.id);
  const after = { experiment_id: experimentId, text: call.body.text };
  const id = await notes.insertNote(tx, { ...after, cohort_id: cohortId, user_id: call.account.id });
  const data = { experiment_id: experimentId };
  await recordChange(tx, call.author, { objectKind: 'note', objectId: id, cohortId, before: null, after, data });
  return id;
}

export const showNote = (row: notes.NoteRow): Static<typeof Note> => ({
  id: row.id,
  text: row.text,
  author: { id: row.user_id, name: row.author_name },
  created_at: row.created_at,
});
