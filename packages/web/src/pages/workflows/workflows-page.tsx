/** All workflows, with their revision and the progress of their experiments. */
import { Link } from 'react-router';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { ProgressKey } from '../../progress/progress-bar.tsx';
import { progressColumns } from '../../progress/progress-columns.tsx';
import type { Column } from '../../table/column.ts';
import { PagedTable } from '../../table/paged-table.tsx';
import { usePages } from '../../table/use-pages.ts';
import { NameLink } from '../../ui/name.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { Author } from './definition/author.tsx';
import { ImportWorkflowButton } from './import/import-workflow-button.tsx';
import styles from './workflows.module.css';

type WorkflowRow = BodyOf<'listWorkflowRows'>['workflows'][number];

const columns: readonly Column<WorkflowRow>[] = [
  {
    id: 'workflow',
    header: 'Workflow',
    names: true,
    width: '22%',
    text: ({ label }) => label,
    cell: ({ id, label }) => <NameLink text={label} to={paths.workflow(id)} />,
  },
  {
    id: 'revision',
    header: 'Revision',
    width: '196px',
    wideOnly: true,
    text: ({ current }) => current.created_at,
    cell: (row) => <Revision of={row} />,
  },
  ...progressColumns,
];

const Revision = ({ of: { id, current } }: { of: WorkflowRow }) => (
  <>
    <Link className={styles['revision']} to={paths.workflowDefinition(id)}>
      Revision {current.revision}
    </Link>
    <span className={styles['sub']}>
      <Timestamp at={current.created_at} /> · <Author of={current} />
    </span>
  </>
);

/** A change of an experiment changes a number in the list. */
const touchesWorkflows: Touches = ({ object_kind, experiment_id }) =>
  object_kind === 'workflow' || (experiment_id !== null && 'later');

const useWorkflows = () =>
  usePages({
    query: (after, limit) =>
      operationQuery(
        'listWorkflowRows',
        { query: { limit, ...(after === undefined ? {} : { after }) } },
        touchesWorkflows,
      ),
    rowsOf: ({ workflows }) => workflows,
    filter: '',
  });

export function WorkflowsPage() {
  useTitle('Workflows');
  const workflows = useWorkflows();
  return (
    <>
      <PageHead title="Workflows" about="The workflows that experiments move through.">
        {workflows.rows.length > 0 ? <ImportWorkflowButton /> : null}
      </PageHead>
      <PagedTable of={workflows} what="workflows" label="Workflows" columns={columns} empty={<NoWorkflows />} />
      {workflows.rows.length > 0 ? <ProgressKey /> : null}
    </>
  );
}

const NoWorkflows = () => (
  <EmptyState title="No workflows yet." actions={<ImportWorkflowButton />}>
    Experiments move through the states of a workflow. Import a workflow file to create one.
  </EmptyState>
);
