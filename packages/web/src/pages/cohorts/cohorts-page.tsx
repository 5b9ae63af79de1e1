/** All cohorts, with their numbers and progress. */
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { usePermission } from '../../session/session-context.ts';
import type { Column } from '../../table/column.ts';
import { PagedTable } from '../../table/paged-table.tsx';
import { usePages } from '../../table/use-pages.ts';
import { NameLink } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { NewCohort } from './cohort-forms.tsx';
import { ProgressKey } from '../../progress/progress-bar.tsx';
import { progressColumns } from '../../progress/progress-columns.tsx';
import styles from './cohort.module.css';

type CohortRow = BodyOf<'listCohortRows'>['cohorts'][number];

const Subjects = ({ of: { subjects, withdrawn } }: { of: CohortRow }) => (
  <>
    {count(subjects)}
    <span className={styles['narrowNoun']}> subjects</span>
    {withdrawn === 0 ? null : <span className={styles['sub']}>{count(withdrawn)} withdrawn</span>}
  </>
);

const columns: readonly Column<CohortRow>[] = [
  {
    id: 'cohort',
    header: 'Cohort',
    names: true,
    width: '24%',
    text: ({ label }) => label,
    cell: ({ id, label }) => <NameLink text={label} to={paths.cohort(id)} />,
  },
  {
    id: 'subjects',
    header: 'Subjects',
    align: 'right',
    width: '112px',
    text: ({ subjects }) => String(subjects),
    cell: (row) => <Subjects of={row} />,
  },
  ...progressColumns,
];

/** A change of an experiment changes a number in the list. */
const touchesCohorts: Touches = ({ object_kind, cohort_id }) =>
  object_kind === 'cohort' || (cohort_id !== null && 'later');

const useCohorts = () =>
  usePages({
    query: (after, limit) =>
      operationQuery('listCohortRows', { query: { limit, ...(after === undefined ? {} : { after }) } }, touchesCohorts),
    rowsOf: ({ cohorts }) => cohorts,
    filter: '',
  });

export function CohortsPage() {
  useTitle('Cohorts');
  const cohorts = useCohorts();
  return (
    <>
      <PageHead title="Cohorts" about="Groups of subjects that belong to one study or one part of a study.">
        {cohorts.rows.length > 0 ? <NewCohort /> : null}
      </PageHead>
      <PagedTable of={cohorts} what="cohorts" label="Cohorts" columns={columns} empty={<NoCohorts />} />
      {cohorts.rows.length > 0 ? <ProgressKey /> : null}
    </>
  );
}

function NoCohorts() {
  const mayAdd = usePermission('sample_add');
  return (
    <EmptyState title="No cohorts yet." actions={mayAdd ? <NewCohort /> : null}>
      {mayAdd
        ? 'Create one to start tracking subjects. Then you can import a spreadsheet with the subjects and experiments that you have.'
        : 'They appear here when you have access to some.'}
    </EmptyState>
  );
}
