/** The start page: the experiments that need attention, by kind and most urgent kinds first. */
import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../paths.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { cappedCount } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { QueryErrors, QueryResult } from '../../ui/query-result.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { aboutOthers, headline } from './about-attention.ts';
import { attentionColumns, csvColumns } from './attention-columns.tsx';
import { kindIn, tabs, type AttentionGroup, type AttentionKind } from './attention-kinds.ts';
import { groupsOf, rowOf, showsCauses, sizeOf } from './attention-rows.ts';
import { DecisionStates, UndecidedStates } from './resting-states.tsx';
import { useAttention, useAttentionGroups, type AttentionCounts, type RestingState } from './use-attention.ts';
import styles from './attention.module.css';

const shownCount = (number: number | undefined) => (number === undefined ? undefined : cappedCount(number));

function KindTabs({ kind, counts }: { kind: AttentionKind | undefined; counts: AttentionCounts | undefined }) {
  // Experiments, as in the headline and the navigation. Each other tab counts its items.
  const all = { name: 'All', to: '?', current: kind === undefined, count: shownCount(counts?.experiments) };
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
  const [search] = useSearchParams();
  const [kind, group] = [kindIn(search.get('kind')), search.get('cause_group') ?? undefined];
  const byCause = group === undefined && !search.has('every') && showsCauses(kind);
  const attention = useAttention({ kind, causeGroup: byCause ? 'none' : group });
  const causes = useAttentionGroups();
  const groups = causes.data?.groups ?? [];
  const csv = useCsv(`attention${kind === undefined ? '' : `-${kind}`}`, csvColumns, attention.everyRow);
  const { counts, states = [] } = attention;
  const decisions = attention.rows.filter((row) => row.kind === 'decide');
  const others = attention.rows.filter((row) => row.kind !== 'decide');
  const rows = [...decisions, ...(byCause ? groupsOf(groups, kind).map(rowOf) : []), ...others];
  const [next] = decisions;
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
      <QueryErrors queries={attention.first.error ? [] : [causes]} />
      <OpenGroup group={groups.find(({ cause_group: key }) => key === group)} />
      <Resting kind={kind} states={states} />
      <QueryResult query={attention.first} what="experiments that need attention">
        {() =>
          byCause && causes.isPending ? (
            <Loading what="causes" />
          ) : rows.length === 0 ? (
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
              {byCause && causes.data?.more === true ? <MoreCauses kind={kind} /> : null}
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

/** The cause whose experiments are listed. */
const OpenGroup = ({ group }: { group: AttentionGroup | undefined }) =>
  group === undefined ? null : (
    <p className={styles['group']}>
      <bdi>{group.callback}</bdi> · <bdi>{group.title}</bdi> · {sizeOf(group)}.{' '}
      <Link to="?" replace>
        Show all causes
      </Link>
    </p>
  );

const MoreCauses = ({ kind }: { kind: AttentionKind | undefined }) => (
  <p className={styles['group']}>
    The 100 most frequent causes are shown.{' '}
    <Link to={`?${kind === undefined ? '' : `kind=${kind}&`}every`}>Show every experiment</Link>
  </p>
);

const NoRows = ({ kind }: { kind: AttentionKind | undefined }) =>
  kind === undefined ? (
    <EmptyState title="Nothing needs attention.">
      Experiments appear here when they wait for a decision, when a callback fails, times out or is overdue, or when
      they are blocked.
    </EmptyState>
  ) : (
    <EmptyState title="No matching experiments." />
  );
