/** All bulk operations that the user can read, newest first. */
import { useMemo } from 'react';
import { changeText, hasEnded, resultText, statusName, type BulkOperation } from '../../bulk/bulk-words.ts';
import { noEvents, operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { useTitlesByLabel, type TitleOf } from '../../status/use-state-look.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useLinkedPages } from '../../table/use-linked-pages.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

const pageSize = 50;

const useOperations = () =>
  useLinkedPages({
    query: (before: number | undefined) =>
      operationQuery(
        'listBulkOperations',
        { query: { applied: true, limit: pageSize, ...(before === undefined ? {} : { before }) } },
        noEvents,
      ),
    rowsOf: (page: BodyOf<'listBulkOperations'>) => page.bulk_operations,
    everyMilliseconds: (page) => (page.bulk_operations.every(hasEnded) ? false : 5000),
    nextOf: ({ bulk_operations: rows }) => (rows.length < pageSize ? undefined : rows.at(-1)?.id),
    filter: '',
  });

const statusOf = ({ status }: BulkOperation) => statusName(status);

const changeColumn = (titleOf: TitleOf): Column<BulkOperation> => {
  const text = (row: BulkOperation) => changeText(row, titleOf);
  return {
    id: 'change',
    header: 'Operation',
    names: true,
    width: '24%',
    text,
    cell: (row) => <NameLink text={text(row)} to={paths.bulkOperation(row.id)} />,
  };
};

const otherColumns: readonly Column<BulkOperation>[] = [
  {
    id: 'experiments',
    header: 'Experiments',
    align: 'right',
    width: '110px',
    wideOnly: true,
    text: ({ experiments }) => String(experiments),
    cell: ({ experiments }) => count(experiments),
  },
  { id: 'result', header: 'Result', text: resultText, cell: resultText },
  { id: 'status', header: 'Status', width: '110px', text: statusOf, cell: statusOf },
  {
    id: 'author',
    header: 'Author',
    width: '18%',
    text: ({ author }) => author.name,
    cell: ({ author }) => <Name text={author.name} />,
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    width: '132px',
    text: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => <Timestamp at={at} as="short" />,
  },
];

export function BulkOperationsPage() {
  useTitle('Bulk operations');
  const operations = useOperations();
  const titleOf = useTitlesByLabel();
  const columns = useMemo(() => [changeColumn(titleOf), ...otherColumns], [titleOf]);
  return (
    <>
      <PageHead title="Bulk operations" about="Changes to many experiments at once, newest first." />
      <QueryResult query={operations.first} what="bulk operations">
        {() =>
          operations.rows.length === 0 && !operations.hasMore ? (
            <EmptyState title="No bulk operations yet.">
              Select experiments in a list and choose what to do with them.
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Bulk operations"
                columns={columns}
                rows={operations.rows}
                rowKey={({ id }) => String(id)}
              />
              <MoreRows of={operations} noun="bulk operation" />
            </>
          )
        }
      </QueryResult>
    </>
  );
}
