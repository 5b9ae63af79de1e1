/** The experiments below the graph: of all states, or the first ones of the selected state. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCohortLabel } from '../../filters/study-filters.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { queryOf } from '../../query/query-path.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { csvColumnsOf, useCsv } from '../../table/use-csv.ts';
import { countOf } from '../../ui/numbers.ts';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { unavailable } from '../../ui/unavailable.ts';
import { AddExperiments, howToAdd } from '../experiments/add-experiments.tsx';
import { experimentColumns } from '../experiments/experiment-columns.tsx';
import { columnsOf, sortByDefault, sortOf, type FoundColumn } from '../experiments/found-columns.tsx';
import { useFound } from '../experiments/use-found.ts';
import { OneState, type OneStateProps } from './one-state.tsx';
import type { SelectedState } from './selected-state.ts';
import styles from './workflow.module.css';

interface Props extends Omit<OneStateProps, 'state'> {
  /** The selected state, or undefined for all states. */
  state: SelectedState | undefined;
  /** The number of experiments of the workflow. */
  total: number | undefined;
}

export function StateExperiments({ state: selected, total, ...props }: Props) {
  const { set } = useFilters();
  if (selected === undefined) return <AllStates {...props} total={total} />;
  if (selected !== 'unknown') return <OneState {...props} state={selected} />;
  return (
    <EmptyState title="No experiments in the selected state. The workflow may no longer have it.">
      <Button variant="subtle" onClick={() => set({ state: undefined })}>
        Show all states
      </Button>
    </EmptyState>
  );
}

const columns: FoundColumn[] = [...columnsOf(['cohort', 'state', 'run', 'entered']), experimentColumns.attempt];
const columnIds = columns.map(({ id }) => id);

function AllStates(props: Pick<Props, 'workflow' | 'total' | 'isPast'>) {
  const cohortId = useFilters().numberOf('cohort');
  const cohort = useCohortLabel(cohortId);
  if (cohortId !== undefined && cohort === undefined) return <Loading what="experiments" />;
  const filters = { workflow: props.workflow.label, ...(cohort === undefined ? {} : { cohort }) };
  return <FoundExperiments {...props} q={queryOf(filters)} />;
}

type FoundProps = Pick<Props, 'total' | 'isPast'> & { q: string };

function FoundExperiments({ q, total, isPast }: FoundProps) {
  const { clear } = useFilters();
  const [sort, setSort] = useState(sortByDefault);
  const found = useFound({ q, sort, columns: columnIds });
  const csv = useCsv({
    file: 'experiments',
    operation: 'searchExperiments',
    query: { q, sort },
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
          {...unavailable(found.rows.length === 0 && 'There are no rows to export.')}
        >
          Export CSV
        </Button>
      </div>
      <QueryResult query={found.first} what="experiments" onClearFilters={clear}>
        {() =>
          found.rows.length === 0 ? (
            <EmptyState title="No experiments in this workflow yet." actions={<AddExperiments />}>
              {howToAdd}
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Experiments in all states"
                columns={columns}
                rows={found.rows}
                rowKey={({ id }) => String(id)}
                rowHeight={57}
                sort={sortOf(columns, sort, setSort)}
              />
              <MoreRows of={found} noun="experiment" />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}
