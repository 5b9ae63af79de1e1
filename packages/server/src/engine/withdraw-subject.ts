/**
 * A subject does not take part any more (docs/decisions/0027): what is open of its experiments ends, they move no more and are
 * counted no more. All of it is one transaction, so that whoever dies in the middle has done nothing.
 */
import { invalid } from '../errors.ts';
import type { Tx } from '../database/connection.ts';
import type { Author } from '../store/history.ts';
import { recordChange } from '../store/record-change.ts';
import type { SubjectRow } from '../store/subjects.ts';
import { holdExperiments, writeWithdrawal } from '../store/withdrawals.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Wherever the caller is, their today is at most tomorrow in UTC. It acts at once, and there is no way back from a typing error. */
export function refuseFuture(date: string, now: number): void {
  if (Date.parse(date) > now + dayMs) {
    throw invalid({ pointer: '/date', detail: '/date lies in the future: a withdrawal acts at once.' });
  }
}

/** The subject is held, and has not withdrawn before. */
export async function withdrawSubject(
  tx: Tx,
  author: Author,
  { id, cohort_id: cohortId }: SubjectRow,
  { date, reason }: { date: string; reason: string },
): Promise<void> {
  await holdExperiments(tx, id);
  await writeWithdrawal(tx, author, { subjectId: id, date });
  const change = { objectKind: 'subject', objectId: id, cohortId, reason };
  await recordChange(tx, author, { ...change, before: { withdrawn_at: null }, after: { withdrawn_at: date } });
}
