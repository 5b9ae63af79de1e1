/** All workflows and the number of their experiments. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { Answer } from '../../shown/answer.tsx';
import { Empty } from '../../shown/empty.tsx';
import { NameLink } from '../../shown/name.tsx';
import { count } from '../../shown/numbers.ts';
import { PageHead } from '../../shown/page-head.tsx';
import { Refused } from '../../shown/refused.tsx';
import { useTitle } from '../../shown/use-title.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { countsQuery, type StateCounts } from '../workflow/use-workflow.ts';
import { workflowsQuery } from '../../workflows/workflows-query.ts';

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
      />
      <Answer of={workflows} what="workflows">
        {() =>
          rows.length === 0 ? (
            <Empty title="No workflows yet.">Import a workflow file through the API to create one.</Empty>
          ) : (
            <>
              <Refused among={counts} />
              <DataTable label="Workflows" columns={columns} rows={rows} rowKey={({ id }) => String(id)} />
            </>
          )
        }
      </Answer>
    </>
  );
}
