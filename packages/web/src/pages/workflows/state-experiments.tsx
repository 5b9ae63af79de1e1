/** The experiments below the graph: of all states, or the first ones of the selected state. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { cohortsQuery } from '../../filters/study-filters.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { queryOf } from '../../query/query-path.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { csvColumnsOf, useCsv } from '../../table/use-csv.ts';
import { countOf } from '../../ui/numbers.ts';
import { EmptyState } from '../../ui/placeholders.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { unavailable } from '../../ui/unavailable.ts';
import { AddExperiments, howToAdd } from '../experiments/add-experiments.tsx';
import { experimentColumns } from '../experiments/experiment-columns.tsx';
import { columnsOf, sortOf, type FoundColumn } from '../experiments/found-columns.tsx';
import { sortByDefault, type Sort } from '../experiments/found-fields.ts';
import { allOrdersOf } from '../experiments/found-orders.ts';
import { isAbout } from '../experiments/found-request.ts';
import { useFoundInOrder } from '../experiments/use-found.ts';
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

const foundColumns = columnsOf(['cohort', 'state', 'run', 'entered']);

/** Without the order by cohort, which the server refuses for large workflows. */
const columns: FoundColumn[] = [
  ...foundColumns.map((column) => (column.id === 'cohort' ? experimentColumns.cohort : column)),
  experimentColumns.attempt,
];
const columnIds = columns.map(({ id }) => id);

type AllProps = Pick<Props, 'workflow' | 'total' | 'isPast'>;

function AllStates(props: AllProps) {
  const { numberOf, clear } = useFilters();
  const cohortId = numberOf('cohort');
  const cohorts = useQuery({ ...cohortsQuery, enabled: cohortId !== undefined });
  if (cohortId === undefined) return <FoundExperiments {...props} cohort={undefined} />;
  return (
    <QueryResult query={cohorts} what="experiments" onClearFilters={clear}>
      {(data) => {
        const cohort = data.cohorts.find(({ id }) => id === cohortId);
        return cohort ? <FoundExperiments {...props} cohort={cohort} /> : <UnknownCohort onClear={clear} />;
      }}
    </QueryResult>
  );
}

const UnknownCohort = ({ onClear }: { onClear: () => void }) => (
  <EmptyState title="No experiments in the selected cohort. It may no longer exist.">
    <Button variant="subtle" onClick={onClear}>
      Clear filters
    </Button>
  </EmptyState>
);

type FoundProps = AllProps & { cohort: { id: number; label: string } | undefined };

/** The order is in the URL. If the server refuses it, the list has another one. */
function useExperiments({ workflow, cohort }: Pick<FoundProps, 'workflow' | 'cohort'>) {
  const { textOf, set } = useFilters();
  const chosen = (textOf('sort') as Sort | undefined) ?? sortByDefault;
  const q = queryOf({ workflow: workflow.label, ...(cohort === undefined ? {} : { cohort: cohort.label }) });
  const found = useFoundInOrder({ q, sort: chosen, columns: columnIds }, allOrdersOf(chosen), {
    withoutCounts: true,
    concerns: isAbout(workflow.id, cohort?.id),
  });
  const setSort = (sort: Sort) => set({ sort: sort === sortByDefault ? undefined : sort });
  return { q, found, setSort, refusal: chosen === sortByDefault ? undefined : found.refusal };
}

function FoundExperiments({ total, isPast, ...filters }: FoundProps) {
  const { clear } = useFilters();
  const { q, found, setSort, refusal } = useExperiments(filters);
  const csv = useCsv({
    file: 'experiments',
    operation: 'searchExperiments',
    query: { q, sort: found.sort },
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
      {refusal === undefined ? null : <ProblemNote error={refusal} />}
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
                sort={sortOf(columns, found.sort, setSort)}
              />
              <MoreRows of={found} noun="experiment" />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}
