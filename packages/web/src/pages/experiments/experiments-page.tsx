/** The experiments that match a query, with the columns that the user chose. */
import { Button } from '@mantine/core';
import type { BodyOf } from '../../api/operation-query.ts';
import { totalOf } from '../../bulk/chosen.ts';
import { WithPanel } from '../../bulk/side-panel.tsx';
import { queryFaults } from '../../query/query-faults.ts';
import { QueryField } from '../../query/query-field.tsx';
import { csvColumnsOf, useCsv } from '../../table/use-csv.ts';
import { countOf } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { unavailable } from '../../ui/unavailable.ts';
import { ViewButton } from '../../views/view-button.tsx';
import { useViews, type View } from '../../views/use-views.ts';
import { AddExperiments, howToAdd } from './add-experiments.tsx';
import { BulkPanel, isPanelOpen } from './bulk-panel.tsx';
import { columnsOf, sortOf } from './found-columns.tsx';
import { FoundColumnChoice } from './found-column-choice.tsx';
import { ordersOf } from './found-orders.ts';
import { NewExperimentOfAny } from './experiment-forms.tsx';
import { FoundTable } from './found-table.tsx';
import { StateCounts } from './state-counts.tsx';
import { useBulk } from './use-bulk.ts';
import { useFoundInOrder } from './use-found.ts';
import { useSearch, type Search } from './use-search.ts';

export function ExperimentsPage() {
  useTitle('Experiments');
  const { search, set, view: viewId } = useSearch();
  const view = useViews().find(({ id }) => id === viewId);
  const found = useFoundInOrder(search, ordersOf(search.sort));
  const { data, error } = found.first;
  const bulk = useBulk(search.q, found);
  const columns = columnsOf(search.columns);
  const csv = useCsv({
    file: 'experiments',
    operation: 'searchExperiments',
    query: { q: search.q, sort: found.sort },
    columns: csvColumnsOf(columns),
  });
  const faults = queryFaults(error, ['?q', '?sort']);
  return (
    <WithPanel panel={isPanelOpen(bulk) ? <BulkPanel bulk={bulk} /> : null}>
      <PageHead title="Experiments" about={[aboutOf(search.q, data), aboutView(search, view)].join(' ')}>
        <ViewButton search={search} view={view} />
        <FoundColumnChoice shown={search.columns} onChange={(ids) => set({ columns: ids })} />
        <Button
          onClick={csv.download}
          loading={csv.isPending}
          {...unavailable(found.rows.length === 0 && 'There are no rows to export.')}
        >
          Export CSV
        </Button>
        {found.rows.length > 0 || search.q !== '' ? <NewExperimentOfAny variant="filled" /> : null}
      </PageHead>
      <QueryField q={search.q} onChange={(q) => set({ q })} faults={faults} />
      {faults.length > 0 ? null : (
        <QueryResult query={found.first} what="experiments">
          {({ states, more }) => (
            <>
              <StateCounts q={search.q} states={states} more={more} onChange={(q) => set({ q })} />
              {found.rows.length === 0 ? (
                <NoExperiments isFiltered={search.q !== ''} onClear={() => set({ q: '' })} />
              ) : (
                <FoundTable
                  found={found}
                  columns={columns}
                  sort={sortOf(columns, found.sort, (sort) => set({ sort }))}
                  bulk={bulk}
                />
              )}
            </>
          )}
        </QueryResult>
      )}
    </WithPanel>
  );
}

/** A space keeps the height of the line while it is unknown. */
function aboutOf(q: string, data: Pick<BodyOf<'searchExperiments'>, 'states' | 'more'> | undefined): string {
  if (!data) return '\u00A0';
  const total = totalOf(data.states);
  const found = countOf(total, 'experiment');
  const match = q === '' ? '' : total === 1 ? ' matches' : ' match';
  return `${data.more ? `At least ${found}` : found}${match}.`;
}

/** Whether the page shows a view as it was saved. */
function aboutView({ q, sort, columns }: Search, view: View | undefined): string {
  if (!view) return '';
  const isSame =
    view.query === q && view.sort === sort && (view.columns.length === 0 || view.columns.join() === columns.join());
  return isSame ? `Saved as the view ${view.name}.` : `Edited since the view ${view.name} was saved.`;
}

const NoExperiments = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
    <EmptyState title="No matching experiments." actions={<Button onClick={onClear}>Clear the query</Button>} />
  ) : (
    <EmptyState title="No experiments yet." actions={<AddExperiments />}>
      {howToAdd}
    </EmptyState>
  );
