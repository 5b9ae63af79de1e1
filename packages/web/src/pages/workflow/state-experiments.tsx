import { Button } from '@mantine/core';
import { experimentColumns } from '../../experiments/experiment-columns.tsx';
import { useExperimentRows } from '../../experiments/use-experiment-rows.ts';
import { useFilters } from '../../filters/use-filters.ts';
import { Answer } from '../../shown/answer.tsx';
import { Empty } from '../../shown/empty.tsx';
import { countOf } from '../../shown/numbers.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { StateWays } from './state-ways.tsx';
import type { WayOn } from './ways-on.ts';
import styles from './workflow.module.css';

const { experiment, cohort, state, run, entered, attempt } = experimentColumns;
const inAll = [experiment, cohort, state, run, entered, attempt];
const inState = [experiment, cohort, run, entered, attempt];

interface Props {
  workflowId: number;
  /** The one that was clicked; undefined: all of them. */
  state: { id: number; label: string } | undefined;
  /** How one gets on from it. */
  ways: readonly WayOn[];
  number: number | undefined;
}

export function StateExperiments({ workflowId, state: chosen, ways, number }: Props) {
  const { numberOf, set } = useFilters();
  const cohortId = numberOf('cohort');
  const columns = chosen ? inState : inAll;
  const rows = useExperimentRows({
    workflow_id: workflowId,
    ...(chosen ? { state_id: chosen.id } : {}),
    ...(cohortId === undefined ? {} : { cohort_id: cohortId }),
  });
  const csv = useCsv(chosen ? `experiments-${chosen.label}` : 'experiments', columns, rows.everyRow);
  return (
    <section aria-labelledby="experiments">
      <div className={styles['head']}>
        <h2 id="experiments">
          <bdi>{chosen?.label ?? 'All states'}</bdi>
          {number === undefined ? null : ` · ${countOf(number, 'experiment')}`}
        </h2>
        {chosen ? (
          <Button variant="subtle" onClick={() => set({ state: undefined })}>
            Clear filter
          </Button>
        ) : null}
        <Button onClick={csv.download} loading={csv.isPending} disabled={rows.rows.length === 0}>
          Export CSV
        </Button>
      </div>
      {chosen ? <StateWays label={chosen.label} ways={ways} /> : null}
      <Answer of={rows.first} what="experiments">
        {() =>
          rows.rows.length === 0 ? (
            <Empty title="No experiment is here." />
          ) : (
            <>
              <DataTable
                label={`Experiments in ${chosen?.label ?? 'all states'}`}
                columns={columns}
                rows={rows.rows}
                rowKey={({ id }) => String(id)}
              />
              <MoreRows of={rows} />
            </>
          )
        }
      </Answer>
    </section>
  );
}
