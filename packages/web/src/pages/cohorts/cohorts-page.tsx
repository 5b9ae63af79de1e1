/** All cohorts, with links to their subjects and experiments. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { experimentsWith } from '../../query/query-path.ts';
import { paths } from '../../paths.ts';
import { usePermission } from '../../session/session-context.ts';
import type { Column } from '../../table/column.ts';
import { PagedTable } from '../../table/paged-table.tsx';
import { usePages } from '../../table/use-pages.ts';
import { NameLink } from '../../ui/name.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { NewCohort } from './cohort-forms.tsx';

type CohortRow = BodyOf<'listCohorts'>['cohorts'][number];

const columns: readonly Column<CohortRow>[] = [
  {
    id: 'cohort',
    header: 'Cohort',
    names: true,
    text: ({ label }) => label,
    cell: ({ id, label }) => <NameLink text={label} to={paths.cohort(id)} />,
  },
  {
    id: 'experiments',
    header: 'Experiments',
    control: true,
    width: '120px',
    text: () => '',
    cell: ({ label }) => (
      <Button
        component={Link}
        variant="subtle"
        to={experimentsWith({ cohort: label })}
        aria-label={`Experiments of ${label}`}
      >
        Experiments
      </Button>
    ),
  },
];

const useCohorts = () =>
  usePages({
    query: (after, limit) =>
      operationQuery(
        'listCohorts',
        { query: { limit, ...(after === undefined ? {} : { after }) } },
        ({ object_kind }) => object_kind === 'cohort',
      ),
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
