/** The first page: who needs somebody, and why, the most urgent kinds first. */
import { Button } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { Answer } from '../../shown/answer.tsx';
import { Empty } from '../../shown/empty.tsx';
import { cappedCount } from '../../shown/numbers.ts';
import { PageHead } from '../../shown/page-head.tsx';
import { Tabs } from '../../shown/tabs.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { attentionColumns, csvColumns } from './attention-columns.tsx';
import { kindIn, tabs, type AttentionKind } from './attention-kinds.ts';
import { useAttention, type AttentionCounts } from './use-attention.ts';

const about = ({ retrying }: AttentionCounts) =>
  retrying === 0
    ? 'Everything else is moving by itself.'
    : `${cappedCount(retrying)} ${retrying === 1 ? 'other' : 'others'} will be tried again without you.`;

function headline(needing: number): string {
  if (needing === 0) return 'No experiment needs someone';
  return needing === 1 ? '1 experiment needs someone' : `${cappedCount(needing)} experiments need someone`;
}

const shown = (number: number | undefined) => (number === undefined ? undefined : cappedCount(number));

function KindTabs({ kind, counts }: { kind: AttentionKind | undefined; counts: AttentionCounts | undefined }) {
  const everything = counts && counts.failed + counts.timed_out + counts.waiting + counts.blocked + counts.retrying;
  const all = { name: 'All', to: '?', current: kind === undefined, count: shown(everything) };
  const each = tabs.map((tab) => ({
    name: tab.name,
    to: `?kind=${tab.kind}`,
    current: tab.kind === kind,
    count: shown(counts?.[tab.kind]),
  }));
  return <Tabs label="Kinds" tabs={[all, ...each]} />;
}

export function AttentionPage() {
  useTitle('Attention');
  const kind = kindIn(useSearchParams()[0].get('kind'));
  const attention = useAttention(kind);
  const csv = useCsv(`attention${kind === undefined ? '' : `-${kind}`}`, csvColumns, attention.everyRow);
  const { counts, rows } = attention;
  return (
    <>
      <PageHead title={counts ? headline(counts.experiments) : 'Attention'} about={counts ? about(counts) : undefined}>
        <Button onClick={csv.download} loading={csv.isPending} disabled={rows.length === 0}>
          Export CSV
        </Button>
      </PageHead>
      <KindTabs kind={kind} counts={counts} />
      <Answer of={attention.first} what="what needs attention">
        {() =>
          rows.length === 0 ? (
            <Empty title="Nobody is needed here.">
              When something fails, times out, waits too long or cannot go on, it appears by itself.
            </Empty>
          ) : (
            <>
              <DataTable
                label="What needs attention"
                columns={attentionColumns}
                rows={rows}
                rowKey={({ id }) => String(id)}
                rowHeight={61}
              />
              <MoreRows of={attention} />
            </>
          )
        }
      </Answer>
    </>
  );
}
