/** Subjects (specification, section 4, Subjects). */
import type { Ref, Subject, SubjectExternalIds, subjectOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Db } from '../../database/connection.ts';
import { mapRows, type RowList } from '../../database/rows.ts';
import { inTransaction } from '../../database/transaction.ts';
import { referenceNotFound } from '../../errors.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import { describeCohort, findCohort } from '../../store/study/cohorts.ts';
import { listExperiments } from '../../store/experiments/experiments.ts';
import { differing, recordChange } from '../../store/record/record-change.ts';
import type { Scope } from '../../store/scope.ts';
import * as subjects from '../../store/study/subjects.ts';
import { readExternalValues, subjectIds } from '../../store/study/external-values.ts';
import { externalIdHandlers } from './external-ids.ts';
import { listAnswer } from '../lists.ts';
import { rejectChangedReference } from '../references/read-only-reference.ts';
import type { Owner } from './external-values.ts';
import { showSaved } from '../show-saved.ts';

export const subjectOwner: Owner<subjects.SubjectRow, Static<typeof SubjectExternalIds>> = {
  objectKind: 'subject',
  values: subjectIds,
  lock: subjects.lockSubject,
  touch: subjects.touchSubject,
  cohortId: (subject) => subject.cohort_id,
  answer: (subject, values) => ({ subject_id: subject.id, subject_label: subject.label, external_ids: values }),
};

const externalIds = externalIdHandlers(subjectOwner, subjects.getSubject);

export const subjectHandlers: Handlers<typeof subjectOperations> = {
  async createSubject(call) {
    const { label, cohort_label: cohortLabel, date_of_birth: dateOfBirth = null } = call.body;
    const subject = await inTransaction(call.database.db, async (tx) => {
      const cohort = await getCohortByLabel(tx, call.account.scope, cohortLabel);
      const row = { label, cohort_id: cohort.id, date_of_birth: dateOfBirth };
      const id = await subjects.insertSubject(tx, row);
      await recordChange(tx, call.author, {
        objectKind: 'subject',
        objectId: id,
        cohortId: cohort.id,
        before: null,
        after: row,
      });
      return { id, ...row, cohort_label: cohort.label, withdrawn_at: null, erased_at: null, version: 1 };
    });
    return showChangedSubject(call, 201, subject);
  },

  async listSubjects(call) {
    const { cohort_label: given, ...page } = call.query;
    const { database, account, links } = call;
    const cohortLabel = given?.normalize('NFC');
    const cohort =
      cohortLabel === undefined ? undefined : await findCohort(database.db, account.scope, { label: cohortLabel });
    // A label that no cohort has matches nothing.
    if (cohortLabel !== undefined && !cohort) return ok({ subjects: [] });
    const list = await subjects.listSubjects(database, account.scope, cohort ? { cohortId: cohort.id } : {}, page);
    return listAnswer('subjects', list, (row) => links.ref('subjects', row));
  },

  async getSubject(call) {
    const subject = await subjects.getSubject(call.database.db, call.account.scope, call.params);
    return ok(await showSubject(call, subject), subject.version);
  },

  async updateSubject(call) {
    const subject = await inTransaction(call.database.db, async (tx) => {
      const stored = await subjects.lockSubject(tx, call.account.scope, call.params.id);
      call.requireVersion(stored.version);
      rejectChangedReference(call.body.cohort, cohortOf(call, stored), { pointer: '/cohort', use: 'cohort_label' });
      const { label, cohort_label: cohortLabel, date_of_birth } = call.body;
      const cohort =
        cohortLabel === undefined ? undefined : await getCohortByLabel(tx, call.account.scope, cohortLabel);
      const changes = differing<subjects.SubjectValues>(stored, { label, cohort_id: cohort?.id, date_of_birth });
      if (!changes) return stored;
      await subjects.updateSubject(tx, stored, changes);
      const place = { objectKind: 'subject', objectId: stored.id, cohortId: cohort?.id ?? stored.cohort_id };
      await recordChange(tx, call.author, { ...place, before: stored, after: changes });
      const version = stored.version + 1;
      return { ...stored, ...changes, version, ...(cohort && { cohort_label: cohort.label }) };
    });
    return showChangedSubject(call, 200, subject);
  },

  addSubjectExternalIds: externalIds.add,
  getSubjectExternalIds: externalIds.get,
  setSubjectExternalId: externalIds.set,
  deleteSubjectExternalId: externalIds.delete,
};

export const showChangedSubject = (call: Call, status: 200 | 201, subject: subjects.SubjectRow) =>
  showSaved(call, { status, uri: call.links.uri('subjects', subject.id) }, async (reading) => ({
    body: await showSubject(reading, subject),
    version: subject.version,
  }));

async function getCohortByLabel(db: Db, scope: Scope, label: string) {
  const cohort = await findCohort(db, scope, { label });
  if (!cohort) throw referenceNotFound('/cohort_label', describeCohort({ label }));
  return cohort;
}

const cohortOf = ({ links }: Pick<Call, 'links'>, row: subjects.SubjectRow) =>
  links.ref('cohorts', { id: row.cohort_id, label: row.cohort_label });

/** `experiments` reads the embedded list. By default, it contains all experiments. External IDs are read unless the row has them. */
export function showSubject(
  call: Call,
  row: subjects.SubjectRow & Partial<Pick<Static<typeof Subject>, 'external_ids'>>,
  experiments = () => experimentsOf(call, row.id),
): Promise<Static<typeof Subject>> {
  const { database, links, fields } = call;
  return present(fields, {
    id: row.id,
    uri: links.uri('subjects', row.id),
    api_uri: links.apiUri('subjects', row.id),
    web_uri: links.webUri('subjects', row.id),
    label: row.label,
    date_of_birth: row.date_of_birth,
    cohort: cohortOf(call, row),
    experiments,
    external_ids: row.external_ids ?? (() => readExternalValues(database.db, subjectIds, row.id)),
    withdrawn: withdrawnOf(row),
  });
}

export const withdrawnOf = ({
  withdrawn_at: date,
  erased_at,
}: Pick<subjects.SubjectRow, 'withdrawn_at' | 'erased_at'>) => (date === null ? null : { date, erased_at });

async function experimentsOf(
  { database, account, links }: Call,
  subjectId: number,
): Promise<RowList<Static<typeof Ref>>> {
  const { rows } = await listExperiments(database, account.scope, { subjectIds: [subjectId] }, {});
  return mapRows(rows, (experiment) => links.ref('experiments', experiment));
}
