/** The experiments of a bulk operation by result, as a table and as CSV. */
import { Button } from '@mantine/core';
import { bulkResults, type BulkResult } from '@milepost/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { noEvents, operationQuery, type BodyOf } from '../../api/operation-query.ts';
import type { BulkItem } from '../../bulk/bulk-queries.ts';
import { hasEnded, isWorking, type BulkOperation } from '../../bulk/bulk-words.ts';
import { itemColumns, ItemLink, RefusalText } from '../../bulk/refusals.tsx';
import { Outcome } from '../../status/outcome.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { useLinkedPages } from '../../table/use-linked-pages.ts';
import { count } from '../../ui/numbers.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { unavailable } from '../../ui/unavailable.ts';

const resultName = (result: BulkResult, operation: BulkOperation): string =>
  ({ done: 'Done', refused: 'Refused', ready: hasEnded(operation) ? 'Not changed' : 'Left' })[result];

/** The icon beside the word. */
const outcomes = { done: 'success', refused: 'blocked', ready: 'none' } as const;

const isResult = (text: string | null): text is BulkResult => bulkResults.some((result) => result === text);

const pageSize = 100;
const everyMilliseconds = 5000;

type Row = BulkItem & { id: number };

const itemsQuery = (id: number, result: BulkResult | undefined, after: number | undefined) =>
  operationQuery(
    'listBulkItems',
    {
      params: { id },
      query: {
        limit: pageSize,
        ...(result === undefined ? {} : { result }),
        ...(after === undefined ? {} : { after }),
      },
    },
    noEvents,
  );

/** Refetched while the operation works, and once more when it has stopped working. */
function useItems(operation: BulkOperation, result: BulkResult | undefined) {
  const { id } = operation;
  const works = isWorking(operation);
  const queryClient = useQueryClient();
  useEffect(
    () => (works ? () => void queryClient.invalidateQueries({ queryKey: ['listBulkItems'] }) : undefined),
    [queryClient, works],
  );
  return useLinkedPages({
    query: (after: number | undefined) => ({
      ...itemsQuery(id, result, after),
      refetchInterval: works ? everyMilliseconds : (false as const),
    }),
    rowsOf: ({ items }: BodyOf<'listBulkItems'>) => items.map((item): Row => ({ ...item, id: item.number })),
    nextOf: ({ items }) => (items.length < pageSize ? undefined : items.at(-1)?.number),
    filter: `${id} ${result}`,
  });
}

const columnsFor = (operation: BulkOperation): readonly Column<Row>[] => [
  {
    id: 'experiment',
    header: 'Experiment',
    names: true,
    width: '32%',
    text: ({ experiment }) => experiment?.label ?? '',
    cell: (row) => <ItemLink item={row} />,
  },
  {
    id: 'result',
    header: 'Result',
    width: '120px',
    text: ({ result }) => result,
    cell: ({ result }) => <Outcome name={outcomes[result]} word={resultName(result, operation)} />,
  },
  {
    id: 'detail',
    header: 'Reason',
    text: ({ detail }) => detail ?? '',
    cell: ({ code, detail }) => <RefusalText code={code ?? ''} detail={detail ?? ''} />,
  },
];

function ResultTabs({ operation, current }: { operation: BulkOperation; current: BulkResult | undefined }) {
  const { experiments, done, refused, ready } = operation;
  const numbers = { done, refused, ready };
  const tab = (result: BulkResult | undefined) => ({
    name: result === undefined ? 'All' : resultName(result, operation),
    to: result === undefined ? '?' : `?result=${result}`,
    current: result === current,
    count: count(result === undefined ? experiments : numbers[result]),
  });
  return <Tabs label="Results" tabs={[tab(undefined), tab('done'), tab('refused'), tab('ready')]} />;
}

export function OperationItems({ operation }: { operation: BulkOperation }) {
  const given = useSearchParams()[0].get('result');
  const result = isResult(given) ? given : undefined;
  const items = useItems(operation, result);
  const csv = useCsv({
    file: `bulk-operation-${operation.id}${result === undefined ? '' : `-${result}`}`,
    operation: 'listBulkItems',
    params: { id: operation.id },
    query: result === undefined ? {} : { result },
    columns: itemColumns,
  });
  return (
    <Section
      title="Experiments"
      aside={
        <Button
          onClick={csv.download}
          loading={csv.isPending}
          {...unavailable(items.rows.length === 0 && 'There are no rows to export.')}
        >
          Export CSV
        </Button>
      }
    >
      <ResultTabs operation={operation} current={result} />
      <QueryResult query={items.first} what="experiments">
        {() =>
          items.rows.length === 0 ? (
            <MutedText>No experiments have this result.</MutedText>
          ) : (
            <>
              <DataTable
                label="Experiments"
                columns={columnsFor(operation)}
                rows={items.rows}
                rowKey={({ id }) => String(id)}
              />
              <MoreRows of={items} noun="experiment" />
            </>
          )
        }
      </QueryResult>
    </Section>
  );
}
