/** All experiments, with filters in the URL and configurable columns. */
import { Button } from '@mantine/core';
import { experimentColumns } from '../../experiments/experiment-columns.tsx';
import { useExperimentRows } from '../../experiments/use-experiment-rows.ts';
import { useFilters } from '../../filters/use-filters.ts';
import { Answer } from '../../shown/answer.tsx';
import { Empty } from '../../shown/empty.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { ColumnChoice, useColumnChoice } from '../../table/column-choice.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { ExperimentFilters } from './experiment-filters.tsx';
import { useRowFilters } from './use-row-filters.ts';

const columns = Object.values(experimentColumns);

export function ExperimentsPage() {
  useTitle('Experiments');
  const { isAny, clear } = useFilters();
  const rows = useExperimentRows(useRowFilters());
  const choice = useColumnChoice('experiments', columns);
  const csv = useCsv('experiments', choice.shown, rows.everyRow);
  return (
    <>
      <PageHead title="Experiments" about="All experiments and their current states.">
        <ColumnChoice columns={columns} choice={choice} />
        <Button onClick={csv.download} loading={csv.isPending} disabled={rows.rows.length === 0}>
          Export CSV
        </Button>
      </PageHead>
      <ExperimentFilters />
      <Answer of={rows.first} what="experiments">
        {() =>
          rows.rows.length === 0 ? (
            <Empty title={isAny ? 'No matching experiments.' : 'No experiments yet.'}>
              {isAny ? (
                <Button variant="subtle" onClick={clear}>
                  Clear filters
                </Button>
              ) : (
                'Create experiments through the API. Usually the archive does this when scans arrive.'
              )}
            </Empty>
          ) : (
            <>
              <DataTable
                label="Experiments"
                columns={columns}
                hidden={choice.hidden}
                rows={rows.rows}
                rowKey={({ id }) => String(id)}
              />
              <MoreRows of={rows} noun="experiment" />
            </>
          )
        }
      </Answer>
    </>
  );
}
