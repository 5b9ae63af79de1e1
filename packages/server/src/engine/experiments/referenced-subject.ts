/** The subject that a request body names by id, or by its label and the label of its cohort. All fields must agree. */
import type { Db } from '../../database/connection.ts';
import { invalid, referenceNotFound } from '../../errors.ts';
import type { Scope } from '../../store/scope.ts';
import { describeCohort, findCohort } from '../../store/study/cohorts.ts';
import { describeSubject, findSubject, type SubjectRow } from '../../store/study/subjects.ts';

export interface SubjectReference {
  id?: number | undefined;
  label?: string | undefined;
  cohortLabel?: string | undefined;
}

export async function getReferencedSubject(db: Db, scope: Scope, named: SubjectReference): Promise<SubjectRow> {
  const { id, label, cohortLabel } = named;
  if (id === undefined) return getByLabels(db, scope, label, cohortLabel);
  const subject = await findSubject(db, scope, { id });
  if (!subject) throw referenceNotFound('/subject_id', describeSubject({ id }));
  rejectContradiction(subject, named);
  return subject;
}

/** Without an id, the schema of the body requires the label. */
async function getByLabels(db: Db, scope: Scope, label = '', cohortLabel?: string): Promise<SubjectRow> {
  if (cohortLabel === undefined) throw cohortRequired();
  const cohort = await findCohort(db, scope, { label: cohortLabel });
  if (!cohort) throw referenceNotFound('/cohort_label', describeCohort({ label: cohortLabel }));
  const subject = await findSubject(db, scope, { label, cohortId: cohort.id });
  if (!subject) throw referenceNotFound('/subject_label', `subject "${label}" in cohort "${cohortLabel}"`);
  return subject;
}

const cohortRequired = () =>
  invalid({
    pointer: '/cohort_label',
    detail: '/cohort_label is required with /subject_label, unless you send /subject_id.',
  });

/** The messages do not contain the stored labels, which the caller did not ask for. */
function rejectContradiction(subject: SubjectRow, { label, cohortLabel }: SubjectReference): void {
  const fault = (pointer: string, is: string) => ({
    pointer,
    detail: `The subject with id ${subject.id} ${is}. Send only /subject_id, or only the labels.`,
  });
  const faults = [
    ...(label === undefined || label === subject.label ? [] : [fault('/subject_label', 'has another label')]),
    ...(cohortLabel === undefined || cohortLabel === subject.cohort_label
      ? []
      : [fault('/cohort_label', 'is in another cohort')]),
  ];
  if (faults.length > 0) throw invalid(...faults);
}
