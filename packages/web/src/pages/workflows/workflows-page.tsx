/** All workflows and the number of their experiments. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { NameLink } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult, QueryErrors } from '../../ui/query-result.tsx';
import { ImportWorkflowButton } from './import/import-workflow-button.tsx';
import { countsQuery, type StateCounts, workflowsQuery } from './use-workflow.ts';

type Key = 'experiments' | 'failed' | 'timed_out' | 'waiting' | 'blocked';

interface WorkflowRow {
  id: number;
  label: string;
  /** Undefined while loading, null if they could not be loaded. */
  sums: Record<Key, number> | undefined | null;
}

const countColumn = (id: Key, header: string): Column<WorkflowRow> => {
  const text = ({ sums }: WorkflowRow) => (sums ? count(sums[id]) : sums === null ? '–' : '…');
  return { id, header, align: 'right', text, cell: text, ...(id === 'experiments' ? {} : { wideOnly: true as const }) };
};

const columns: readonly Column<WorkflowRow>[] = [
  {
    id: 'workflow',
    header: 'Workflow',
    names: true,
    width: '40%',
    text: ({ label }) => label,
    cell: ({ id, label }) => <NameLink text={label} to={paths.workflow(id)} />,
  },
  countColumn('experiments', 'Experiments'),
  countColumn('failed', 'Failed'),
  countColumn('timed_out', 'Timed out'),
  countColumn('waiting', 'Waiting'),
  countColumn('blocked', 'Blocked'),
];

function sumsOf(states: readonly StateCounts[]): Record<Key, number> {
  const sum = (key: Key) => states.reduce((total, state) => total + state[key], 0);
  return {
    experiments: sum('experiments'),
    failed: sum('failed'),
    timed_out: sum('timed_out'),
    waiting: sum('waiting'),
    blocked: sum('blocked'),
  };
}

function useRows(workflows: readonly { id: number; label: string }[]) {
  const counts = useQueries({ queries: workflows.map(({ id }) => countsQuery(id)) });
  const rows = workflows.map(({ id, label }, index): WorkflowRow => {
    const { data, error } = counts[index] ?? {};
    return { id, label, sums: data ? sumsOf(data.states) : error ? null : undefined };
  });
  return { rows, counts };
}

export function WorkflowsPage() {
  useTitle('Workflows');
  const workflows = useQuery(workflowsQuery);
  const { rows, counts } = useRows(workflows.data?.workflows ?? []);
  return (
    <>
      <PageHead
        title="Workflows"
        about="The workflows that experiments move through, with the number of experiments in each."
      >
        {rows.length > 0 ? <ImportWorkflowButton /> : null}
      </PageHead>
      <QueryResult query={workflows} what="workflows">
        {() =>
          rows.length === 0 ? (
            <EmptyState title="No workflows yet." actions={<ImportWorkflowButton />}>
              Experiments move through the states of a workflow. Import a workflow file to create one.
            </EmptyState>
          ) : (
            <>
              <QueryErrors queries={counts} />
              <DataTable label="Workflows" columns={columns} rows={rows} rowKey={({ id }) => String(id)} />
            </>
          )
        }
      </QueryResult>
    </>
  );
}
