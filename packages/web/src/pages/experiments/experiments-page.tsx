/** All experiments, with filters in the URL and configurable columns. */
import { Button } from '@mantine/core';
import { useFilters } from '../../filters/use-filters.ts';
import { ColumnChoice, useColumnChoice } from '../../table/column-choice.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { csvColumnsOf, useCsv } from '../../table/use-csv.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { experimentColumns } from './experiment-columns.tsx';
import { ExperimentFilters } from './experiment-filters.tsx';
import { useExperimentRows } from './use-experiment-rows.ts';
import { useRowFilters } from './use-row-filters.ts';

const columns = Object.values(experimentColumns);

export function ExperimentsPage() {
  useTitle('Experiments');
  const { isAny, clear } = useFilters();
  const filters = useRowFilters();
  const rows = useExperimentRows(filters);
  const choice = useColumnChoice('experiments', columns);
  const csv = useCsv({
    file: 'experiments',
    operation: 'listExperimentRows',
    query: filters,
    columns: csvColumnsOf(choice.shown),
  });
  return (
    <>
      <PageHead title="Experiments" about="All experiments and their current states.">
        <ColumnChoice columns={columns} choice={choice} />
        <Button onClick={csv.download} loading={csv.isPending} disabled={rows.rows.length === 0}>
          Export CSV
        </Button>
      </PageHead>
      <ExperimentFilters />
      <QueryResult query={rows.first} what="experiments" onClearFilters={clear}>
        {() =>
          rows.rows.length === 0 ? (
            <EmptyState title={isAny ? 'No matching experiments.' : 'No experiments yet.'}>
              {isAny ? (
                <Button variant="subtle" onClick={clear}>
                  Clear filters
                </Button>
              ) : (
                'Create experiments through the API. Usually the archive does this when scans arrive.'
              )}
            </EmptyState>
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
      </QueryResult>
    </>
  );
}
