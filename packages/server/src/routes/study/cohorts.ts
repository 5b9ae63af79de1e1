/** Cohorts (specification, section 4, Cohorts). */
import { values as v, type Cohort, type CohortExternalUrls, type cohortOperations, type Ref } from '@milepost/api';
import type { Static } from 'typebox';
import { mapRows, type RowList } from '../../database/rows.ts';
import { inTransaction } from '../../database/transaction.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import * as cohorts from '../../store/study/cohorts.ts';
import { describeExperiment, findExperiment, listExperiments } from '../../store/experiments/experiments.ts';
import { differing, recordChange } from '../../store/record/record-change.ts';
import { describeSubject, findSubject, listSubjects } from '../../store/study/subjects.ts';
import { cohortUrls, readExternalValues } from '../../store/study/external-values.ts';
import { showExperiment } from '../experiments/experiments.ts';
import { listAnswer } from '../lists.ts';
import { getByLabel } from '../references/get-by-label.ts';
import { showSubject } from './subjects.ts';
import {
  addExternalValues,
  externalValuesReader,
  removeExternalValue,
  setExternalValue,
  type Owner,
} from './external-values.ts';
import { showSaved } from '../show-saved.ts';

export const cohortHandlers: Handlers<typeof cohortOperations> = {
  async createCohort(call) {
    const values = { label: call.body.label, description: call.body.description ?? '' };
    const id = await inTransaction(call.database.db, async (tx) => {
      const cohortId = await cohorts.insertCohort(tx, values);
      await recordChange(tx, call.author, {
        objectKind: 'cohort',
        objectId: cohortId,
        cohortId,
        before: null,
        after: values,
      });
      return cohortId;
    });
    return showChanged(call, 201, { id, ...values, version: 1 });
  },

  async listCohorts(call) {
    const list = await cohorts.listCohorts(call.database, call.account.scope, call.query);
    return listAnswer('cohorts', list, (row) => call.links.ref('cohorts', row));
  },

  async getCohortByLabel(call) {
    const cohort = await getLabelledCohort(call);
    return ok(await showCohort(call, cohort), cohort.version);
  },

  async getCohort(call) {
    const cohort = await cohorts.getCohort(call.database.db, call.account.scope, call.params);
    return ok(await showCohort(call, cohort), cohort.version);
  },

  async updateCohort(call) {
    const cohort = await inTransaction(call.database.db, async (tx) => {
      const stored = await cohorts.lockCohort(tx, call.account.scope, call.params.id);
      call.requireVersion(stored.version);
      const { label, description } = call.body;
      const changes = differing(stored, { label, description: description === null ? '' : description });
      if (!changes) return stored;
      await cohorts.updateCohort(tx, stored.id, changes);
      const change = { objectKind: 'cohort', objectId: stored.id, cohortId: stored.id };
      await recordChange(tx, call.author, { ...change, before: stored, after: changes });
      return { ...stored, ...changes, version: stored.version + 1 };
    });
    return showChanged(call, 200, cohort);
  },

  async addCohortExternalUrls(call) {
    const values = readUrls(call.body.external_urls);
    return addExternalValues(call, cohortOwner, call.params.id, { values, pointer: '/external_urls' });
  },

  async getCohortExternalUrls(call) {
    const cohort = await cohorts.getCohort(call.database.db, call.account.scope, call.params);
    const values = await readExternalValues(call.database.db, cohortUrls, cohort.id);
    return ok(cohortOwner.answer(cohort, values), cohort.version);
  },

  async setCohortExternalUrl(call) {
    const { id, system_name: name } = call.params;
    return setExternalValue(call, cohortOwner, id, { name, text: call.body.external_url });
  },

  async deleteCohortExternalUrl(call) {
    const { id, system_name: name } = call.params;
    return removeExternalValue(call, cohortOwner, id, { name, what: 'external URL' });
  },

  async listCohortSubjects(call) {
    const { id } = await getLabelledCohort(call);
    const list = await listSubjects(call.database, call.account.scope, { cohortId: id }, call.query);
    return listAnswer('subjects', list, (row) => call.links.ref('subjects', row));
  },

  async getCohortSubject(call) {
    const subject = await getLabelledSubject(call);
    return ok(await showSubject(call, subject), subject.version);
  },

  async listCohortSubjectExperiments(call) {
    const { id } = await getLabelledSubject(call);
    const list = await listExperiments(call.database, call.account.scope, { subjectIds: [id] }, call.query);
    return listAnswer('experiments', list, (row) => call.links.ref('experiments', row));
  },

  async getCohortSubjectExperiment(call) {
    const { database, account, params } = call;
    const { id: subjectId } = await getLabelledSubject(call);
    const experiment = await getByLabel(
      params.experiment_label,
      (key) => findExperiment(database.db, account.scope, { ...key, subjectId }),
      (key) => describeExperiment({ ...key, subjectId }),
    );
    return ok(await showExperiment(call, experiment), experiment.version);
  },
};

const showChanged = (call: Call, status: 200 | 201, cohort: cohorts.CohortRow) =>
  showSaved(call, { status, uri: call.links.uri('cohorts', cohort.id) }, async (reading) => ({
    body: await showCohort(reading, cohort),
    version: cohort.version,
  }));

type Labelled = Pick<Call, 'database' | 'account'> & { params: { label: string } };

const getLabelledCohort = ({ database, account, params }: Labelled) =>
  getByLabel(params.label, (key) => cohorts.findCohort(database.db, account.scope, key), cohorts.describeCohort);

async function getLabelledSubject(call: Labelled & { params: { subject_label: string } }) {
  const { database, account, params } = call;
  const { id: cohortId } = await getLabelledCohort(call);
  return getByLabel(
    params.subject_label,
    (key) => findSubject(database.db, account.scope, { ...key, cohortId }),
    (key) => describeSubject({ ...key, cohortId }),
  );
}

/** `subjects` reads the embedded list. By default, it contains all subjects. External URLs are read unless the row has them. */
export function showCohort(
  call: Call,
  row: cohorts.CohortRow & Partial<Pick<Static<typeof Cohort>, 'external_urls'>>,
  subjects = () => subjectsOf(call, row.id),
): Promise<Static<typeof Cohort>> {
  const { database, links, fields } = call;
  return present(fields, {
    id: row.id,
    uri: links.uri('cohorts', row.id),
    label: row.label,
    description: row.description,
    external_urls: row.external_urls ?? (() => readExternalValues(database.db, cohortUrls, row.id)),
    subjects,
  });
}

async function subjectsOf({ database, account, links }: Call, cohortId: number): Promise<RowList<Static<typeof Ref>>> {
  const { rows } = await listSubjects(database, account.scope, { cohortId }, {});
  return mapRows(rows, (subject) => links.ref('subjects', subject));
}

const readUrls = externalValuesReader(v.urlBySystem, '/external_urls');

const cohortOwner: Owner<cohorts.CohortRow, Static<typeof CohortExternalUrls>> = {
  objectKind: 'cohort',
  values: cohortUrls,
  lock: cohorts.lockCohort,
  touch: (tx, id) => cohorts.updateCohort(tx, id, {}),
  cohortId: (cohort) => cohort.id,
  answer: (cohort, values) => ({ cohort_id: cohort.id, cohort_label: cohort.label, external_urls: values }),
};
