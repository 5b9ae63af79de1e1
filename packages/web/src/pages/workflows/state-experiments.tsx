/** The experiments below the graph: of all states, or the first ones of the selected state. */
import { Button } from '@mantine/core';
import { useFilters } from '../../filters/use-filters.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useLocalSort } from '../../table/use-local-sort.ts';
import { csvColumnsOf, useCsv } from '../../table/use-csv.ts';
import { countOf } from '../../ui/numbers.ts';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { unavailable } from '../../ui/unavailable.ts';
import { AddExperiments, howToAdd } from '../experiments/add-experiments.tsx';
import { experimentColumns } from '../experiments/experiment-columns.tsx';
import { useExperimentRows } from '../experiments/use-experiment-rows.ts';
import { OneState, type OneStateProps } from './one-state.tsx';
import type { SelectedState } from './selected-state.ts';
import styles from './workflow.module.css';

const { experiment, cohort, state, run, entered, attempt } = experimentColumns;
const columns = [experiment, cohort, state, run, entered, attempt];
const byLabel = { columnId: 'experiment', isDescending: false };

interface Props extends Omit<OneStateProps, 'state'> {
  /** The selected state, or undefined for all states. */
  state: SelectedState | undefined;
  /** The number of experiments of the workflow. */
  total: number | undefined;
}

export function StateExperiments({ state: selected, total, ...props }: Props) {
  const { set } = useFilters();
  if (selected === undefined) return <AllStates workflowId={props.workflow.id} total={total} isPast={props.isPast} />;
  if (selected !== 'unknown') return <OneState {...props} state={selected} />;
  return (
    <EmptyState title="No experiments in the selected state. The workflow may no longer have it.">
      <Button variant="subtle" onClick={() => set({ state: undefined })}>
        Show all states
      </Button>
    </EmptyState>
  );
}

function AllStates({ workflowId, total, isPast }: Pick<Props, 'total' | 'isPast'> & { workflowId: number }) {
  const { numberOf, clear } = useFilters();
  const cohortId = numberOf('cohort');
  const filters = { workflow_id: workflowId, ...(cohortId === undefined ? {} : { cohort_id: cohortId }) };
  const rows = useExperimentRows(filters);
  const csv = useCsv({
    file: 'experiments',
    operation: 'listExperimentRows',
    query: filters,
    columns: csvColumnsOf(columns),
  });
  return (
    <section aria-labelledby="experiments">
      <div className={styles['head']}>
        <h2 id="experiments">
          All states{total === undefined ? null : ` · ${countOf(total, 'experiment')}`}
          {isPast ? ' now' : null}
        </h2>
        <Button
          onClick={csv.download}
          loading={csv.isPending}
          {...unavailable(rows.rows.length === 0 && 'There are no rows to export.')}
        >
          Export CSV
        </Button>
      </div>
      <QueryResult query={rows.first} what="experiments" onClearFilters={clear}>
        {() =>
          rows.rows.length === 0 ? (
            <EmptyState title="No experiments in this workflow yet." actions={<AddExperiments />}>
              {howToAdd}
            </EmptyState>
          ) : (
            <Experiments of={rows} />
          )
        }
      </QueryResult>
    </section>
  );
}

/** Pages of the server are in the order of creation, so only a single page can be sorted. */
function Experiments({ of }: { of: ReturnType<typeof useExperimentRows> }) {
  const { rows, sort } = useLocalSort(of.rows, columns, of.isOnePage, byLabel);
  return (
    <>
      <DataTable
        label="Experiments in all states"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        {...(sort ? { sort } : {})}
      />
      <MoreRows of={of} noun="experiment" />
    </>
  );
}
