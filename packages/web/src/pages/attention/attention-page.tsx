/** The start page: the experiments that need attention, by kind and most urgent kinds first. */
import { Button } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { cappedCount } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { attentionColumns, csvColumns } from './attention-columns.tsx';
import { kindIn, tabs, type AttentionKind } from './attention-kinds.ts';
import { useAttention, type AttentionCounts } from './use-attention.ts';

function about({ experiments, retrying }: AttentionCounts): string {
  if (retrying === 0)
    return experiments === 0 ? 'All experiments are on track.' : 'All other experiments are on track.';
  const noun = retrying === 1 ? 'experiment' : 'experiments';
  const verb = retrying === 1 ? 'is' : 'are';
  return `${cappedCount(retrying)} ${experiments === 0 ? noun : 'more'} ${verb} retrying automatically.`;
}

function headline(experiments: number): string {
  if (experiments === 0) return 'No experiments need attention';
  return experiments === 1 ? '1 experiment needs attention' : `${cappedCount(experiments)} experiments need attention`;
}

const shownCount = (number: number | undefined) => (number === undefined ? undefined : cappedCount(number));

function KindTabs({ kind, counts }: { kind: AttentionKind | undefined; counts: AttentionCounts | undefined }) {
  const total = counts && counts.failed + counts.timed_out + counts.waiting + counts.blocked + counts.retrying;
  const all = { name: 'All', to: '?', current: kind === undefined, count: shownCount(total) };
  const each = tabs.map((tab) => ({
    name: tab.name,
    to: `?kind=${tab.kind}`,
    current: tab.kind === kind,
    count: shownCount(counts?.[tab.kind]),
  }));
  return <Tabs label="Kinds" tabs={[all, ...each]} />;
}

export function AttentionPage() {
  useTitle('Needs attention');
  const kind = kindIn(useSearchParams()[0].get('kind'));
  const attention = useAttention(kind);
  const csv = useCsv(`attention${kind === undefined ? '' : `-${kind}`}`, csvColumns, attention.everyRow);
  const { counts, rows } = attention;
  return (
    <>
      <PageHead
        title={counts ? headline(counts.experiments) : 'Needs attention'}
        about={counts ? about(counts) : undefined}
      >
        <Button onClick={csv.download} loading={csv.isPending} disabled={rows.length === 0}>
          Export CSV
        </Button>
      </PageHead>
      <KindTabs kind={kind} counts={counts} />
      <QueryResult query={attention.first} what="experiments that need attention">
        {() =>
          rows.length === 0 ? (
            <NoRows kind={kind} />
          ) : (
            <>
              <DataTable
                label="Experiments that need attention"
                columns={attentionColumns}
                rows={rows}
                rowKey={({ id }) => String(id)}
                rowHeight={61}
              />
              <MoreRows of={attention} noun="item" />
            </>
          )
        }
      </QueryResult>
    </>
  );
}

const NoRows = ({ kind }: { kind: AttentionKind | undefined }) =>
  kind === undefined ? (
    <EmptyState title="Nothing needs attention.">
      Experiments appear here when a callback fails, times out or is overdue, or when they are blocked.
    </EmptyState>
  ) : (
    <EmptyState title="No matching experiments." />
  );
