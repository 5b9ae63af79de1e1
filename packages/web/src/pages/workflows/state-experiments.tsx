import { Button } from '@mantine/core';
import { useFilters } from '../../filters/use-filters.ts';
import { StateMark } from '../../status/state-chip.tsx';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { countOf } from '../../ui/numbers.ts';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { experimentColumns } from '../experiments/experiment-columns.tsx';
import { useExperimentRows } from '../experiments/use-experiment-rows.ts';
import type { OutgoingTransition } from './outgoing-transitions.ts';
import type { SelectedState } from './selected-state.ts';
import { StateTransitions } from './state-transitions.tsx';
import styles from './workflow.module.css';

const { experiment, cohort, state, run, entered, attempt } = experimentColumns;
const inAll = [experiment, cohort, state, run, entered, attempt];
const inState = [experiment, cohort, run, entered, attempt];

interface Props {
  workflowId: number;
  /** The selected state, or undefined for all states. */
  state: SelectedState | undefined;
  transitions: readonly OutgoingTransition[];
  number: number | undefined;
}

export function StateExperiments({ state: selected, ...props }: Props) {
  const { set } = useFilters();
  if (selected !== 'unknown') return <KnownExperiments {...props} state={selected} />;
  return (
    <EmptyState title="No experiments in the selected state. The workflow may no longer have it.">
      <Button variant="subtle" onClick={() => set({ state: undefined })}>
        Show all states
      </Button>
    </EmptyState>
  );
}

type KnownProps = Omit<Props, 'state'> & { state: Exclude<SelectedState, 'unknown'> | undefined };

function KnownExperiments({ workflowId, state: selected, transitions, number }: KnownProps) {
  const { numberOf, set, clear } = useFilters();
  const cohortId = numberOf('cohort');
  const lookOf = useStateLooks();
  const columns = selected ? inState : inAll;
  const rows = useExperimentRows({
    workflow_id: workflowId,
    ...(selected ? { state_id: selected.id } : {}),
    ...(cohortId === undefined ? {} : { cohort_id: cohortId }),
  });
  const csv = useCsv(selected ? `experiments-${selected.label}` : 'experiments', columns, rows.everyRow);
  return (
    <section aria-labelledby="experiments">
      <div className={styles['head']}>
        <h2 id="experiments">
          {selected ? (
            <>
              <StateMark state={selected} />{' '}
            </>
          ) : null}
          <bdi>{selected ? lookOf(selected).title : 'All states'}</bdi>
          {number === undefined ? null : ` · ${countOf(number, 'experiment')}`}
        </h2>
        {selected ? (
          <Button variant="subtle" onClick={() => set({ state: undefined })}>
            Show all states
          </Button>
        ) : null}
        <Button onClick={csv.download} loading={csv.isPending} disabled={rows.rows.length === 0}>
          Export CSV
        </Button>
      </div>
      {selected ? <StateTransitions label={selected.label} transitions={transitions} /> : null}
      <QueryResult query={rows.first} what="experiments" onClearFilters={clear}>
        {() =>
          rows.rows.length === 0 ? (
            <EmptyState title={selected ? 'No experiments in this state.' : 'No experiments in this workflow yet.'}>
              {selected ? null : 'Create experiments through the API. Usually the archive does this when scans arrive.'}
            </EmptyState>
          ) : (
            <>
              <DataTable
                label={`Experiments in ${selected?.label ?? 'all states'}`}
                columns={columns}
                rows={rows.rows}
                rowKey={({ id }) => String(id)}
              />
              <MoreRows of={rows} noun="experiment" />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}
