/**
 * Withdraws a subject (docs/decisions/0027): open executions of its experiments end, and its experiments no longer move and are
 * no longer counted. This happens in one transaction.
 */
import { invalid } from '../../errors.ts';
import type { Tx } from '../../database/connection.ts';
import type { Author } from '../../store/record/history.ts';
import { recordChange } from '../../store/record/record-change.ts';
import type { SubjectRow } from '../../store/study/subjects.ts';
import { lockExperiments, writeWithdrawal } from '../../store/study/withdrawals.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A withdrawal cannot be undone, so a typo must not pass. In any time zone, today is at most tomorrow in UTC. */
export function rejectFutureDate(date: string, now: number): void {
  if (Date.parse(date) > now + dayMs) {
    throw invalid({
      pointer: '/date',
      detail: `/date ${date} is in the future. Use today or an earlier date, because a withdrawal takes effect immediately.`,
    });
  }
}

/** The caller has locked the subject and checked that it has not withdrawn. */
export async function withdrawSubject(
  tx: Tx,
  author: Author,
  { id, cohort_id: cohortId }: SubjectRow,
  { date, reason }: { date: string; reason: string },
): Promise<void> {
  await lockExperiments(tx, id);
  await writeWithdrawal(tx, author, { subjectId: id, date });
  const change = { objectKind: 'subject', objectId: id, cohortId, reason };
  await recordChange(tx, author, { ...change, before: { withdrawn_at: null }, after: { withdrawn_at: date } });
}
