/** The start page: the experiments that need attention, by kind and most urgent kinds first. */
import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../paths.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { cappedCount } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { aboutOthers, headline } from './about-attention.ts';
import { attentionColumns, csvColumns } from './attention-columns.tsx';
import { kindIn, tabs, type AttentionKind } from './attention-kinds.ts';
import { DecisionStates, UndecidedStates } from './resting-states.tsx';
import { useAttention, type AttentionCounts, type RestingState } from './use-attention.ts';

const shownCount = (number: number | undefined) => (number === undefined ? undefined : cappedCount(number));

function KindTabs({ kind, counts }: { kind: AttentionKind | undefined; counts: AttentionCounts | undefined }) {
  const total =
    counts && counts.decide + counts.failed + counts.timed_out + counts.waiting + counts.blocked + counts.retrying;
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
  const { counts, rows, states = [] } = attention;
  const next = rows.find((row) => row.kind === 'decide');
  return (
    <>
      <PageHead
        title={counts ? headline(counts.experiments) : 'Needs attention'}
        about={counts ? aboutOthers(counts) : undefined}
      >
        <Button onClick={csv.download} loading={csv.isPending} disabled={rows.length === 0}>
          Export CSV
        </Button>
        {next ? (
          <Button component={Link} variant="filled" to={paths.experiment(next.experiment.id)}>
            Decide next
          </Button>
        ) : null}
      </PageHead>
      <KindTabs kind={kind} counts={counts} />
      <Resting kind={kind} states={states} />
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

/** Only next to decisions. */
function Resting({ kind, states }: { kind: AttentionKind | undefined; states: readonly RestingState[] }) {
  if (kind !== undefined && kind !== 'decide') return null;
  const of = (wanted: RestingState['kind']) => states.filter((state) => state.kind === wanted);
  return (
    <>
      {of('decide').length === 0 ? null : <DecisionStates states={of('decide')} />}
      <UndecidedStates states={of('undecided')} />
    </>
  );
}

const NoRows = ({ kind }: { kind: AttentionKind | undefined }) =>
  kind === undefined ? (
    <EmptyState title="Nothing needs attention.">
      Experiments appear here when they wait for a decision, when a callback fails, times out or is overdue, or when
      they are blocked.
    </EmptyState>
  ) : (
    <EmptyState title="No matching experiments." />
  );
