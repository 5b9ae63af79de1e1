/** The numbers of cohorts, and a cohort as a matrix (docs/decisions/0023, 0049). */
import type { cohortOverviewOperations, CohortNumbers, MatrixSubject } from '@milepost/api';
import type { Static } from 'typebox';
import { ok, type Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import { readMatrixExperiments, type MatrixExperiment } from '../../store/screens/cohort-matrix.ts';
import { readCohortNumbers, type CohortNumbers as Numbers } from '../../store/screens/cohort-numbers.ts';
import { listVisits, orderVisits } from '../../store/screens/cohort-visits.ts';
import {
  findMatrixSubjects,
  type MatrixFilter,
  type MatrixPage,
  type MatrixSubject as Subject,
} from '../../store/screens/matrix-subjects.ts';
import { getCohort, listCohorts } from '../../store/study/cohorts.ts';
import { groupBy } from '../group-by.ts';
import { requireNamedObjects } from '../named-filters.ts';
import { withdrawnOf } from '../study/subjects.ts';
import { showProgress } from './progress.ts';

const defaultCohorts = 100;
const defaultSubjects = 50;

export const cohortOverviewHandlers: Handlers<typeof cohortOverviewOperations> = {
  async listCohortRows({ database, account, query, links }) {
    const { rows, next } = await listCohorts(database, account.scope, {
      ...query,
      limit: query.limit ?? defaultCohorts,
    });
    const shown = Array.isArray(rows) ? rows : [];
    const numbers = await readCohortNumbers(
      database.db,
      shown.map(({ id }) => id),
    );
    const cohorts = numbers.flatMap((found, place) => (shown[place] ? [showNumbers(links, shown[place], found)] : []));
    return { status: 200, body: { cohorts }, next };
  },

  async getCohortSummary({ database: { db }, account, params, links }) {
    const cohort = await getCohort(db, account.scope, params);
    const [numbers = noNumbers] = await readCohortNumbers(db, [cohort.id]);
    const visits = await orderVisits(db, cohort.id, await listVisits(db, cohort.id));
    return ok({
      ...showNumbers(links, cohort, numbers),
      subjects_attention: numbers.subjects_attention,
      states: numbers.states.map(({ experiments, ...state }) => ({ state: links.ref('states', state), experiments })),
      visits,
    });
  },

  async getCohortMatrix(call) {
    const { database, account, params, query, links } = call;
    const { id: cohortId } = await getCohort(database.db, account.scope, params);
    await requireNamedObjects(call, { state_id: { kind: 'state', id: query.state_id } });
    const { rows, next } = await readSubjects(call, cohortId);
    const read = await readMatrixExperiments(
      database.db,
      rows.map(({ id }) => id),
    );
    const experiments = groupBy(read, ({ subject_id }) => subject_id);
    const subjects = rows.map((subject) => showSubject(links, subject, experiments(subject.id)));
    return { status: 200, body: { subjects, next: next ?? null }, next: () => next };
  },
};

const noNumbers: Numbers = { id: 0, subjects: 0, withdrawn: 0, last_activity: null, subjects_attention: 0, states: [] };

type MatrixCall = Parameters<Handlers<typeof cohortOverviewOperations>['getCohortMatrix']>[0];

async function readSubjects(
  { database, query }: Pick<MatrixCall, 'database' | 'query'>,
  cohortId: number,
): Promise<MatrixPage> {
  const { label, state_id, gaps, attention, ...page } = query;
  const limit = page.limit ?? defaultSubjects;
  const gapsIn = gaps && (await listVisits(database.db, cohortId)).map(({ visit }) => visit);
  const filter: MatrixFilter = { label, stateId: state_id, gapsIn, attention: attention !== undefined };
  const start = { cohortId, after: page.after ?? 0, offset: page.offset ?? 0, limit };
  return findMatrixSubjects(database.db, start, filter);
}

const showSubject = (
  links: Links,
  subject: Subject,
  experiments: readonly MatrixExperiment[],
): Static<typeof MatrixSubject> => ({
  ...links.ref('subjects', subject),
  web_uri: links.webUri('subjects', subject.id),
  withdrawn: withdrawnOf(subject),
  last_activity: experiments.reduce<string | null>((last, { active_at: at }) => later(last, at), null),
  experiments: experiments.map((row) => ({
    ...links.ref('experiments', row),
    web_uri: links.webUri('experiments', row.id),
    visit: row.visit,
    workflow: links.ref('workflows', { id: row.workflow_id, label: row.workflow_label }),
    state: links.ref('states', { id: row.state_id, label: row.state_label }),
    incidents: row.incidents,
    waits: row.waits,
    overdue: row.overdue,
  })),
});

const later = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a);

type ShownNumbers = Static<typeof CohortNumbers>;

const showNumbers = (links: Links, cohort: { id: number; label: string }, numbers: Numbers): ShownNumbers => ({
  ...links.ref('cohorts', cohort),
  web_uri: links.webUri('cohorts', cohort.id),
  subjects: numbers.subjects,
  withdrawn: numbers.withdrawn,
  ...showProgress(numbers),
});
