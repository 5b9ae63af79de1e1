/** The start page: the experiments that need attention, by kind and most urgent kinds first. */
import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, useSearchParams } from 'react-router';
import { usePermissionSomewhere } from '../../session/session-context.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { cappedCount } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { QueryErrors, QueryResult } from '../../ui/query-result.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { unavailable } from '../../ui/unavailable.ts';
import { useDecisionPath } from '../experiments/decision/use-decision-filter.ts';
import { aboutOthers, headline } from './about-attention.ts';
import { attentionColumns, csvColumns } from './attention-columns.tsx';
import { AttentionFilters, useAttentionFilters, useLinkTo } from './attention-filters.tsx';
import {
  kindIn,
  tabs,
  type AttentionCounts,
  type AttentionGroup,
  type AttentionKind,
  type RestingState,
} from './attention-kinds.ts';
import { keyOf, rowOf, showsCauses, sizeOf, withExits, type AttentionRow } from './attention-rows.ts';
import { AttentionSections } from './attention-sections.tsx';
import { UndecidedStates } from './resting-states.tsx';
import { RowDialogs } from './row-dialogs.tsx';
import { useAttention, useAttentionGroups } from './use-attention.ts';
import { UsualStays } from './usual-stays.tsx';
import { useVisit } from './use-visit.ts';
import styles from './attention.module.css';

/** Only a new installation needs it. */
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));

const shownCount = (number: number | undefined) => (number === undefined ? undefined : cappedCount(number));

function KindTabs({ kind, counts }: { kind: AttentionKind | undefined; counts: AttentionCounts | undefined }) {
  const linkTo = useLinkTo();
  const to = (of: AttentionKind | undefined) => linkTo({ kind: of, cause_group: undefined, every: undefined });
  // Experiments, as in the headline and the navigation. Each other tab counts its items.
  const all = { name: 'All', to: to(undefined), current: kind === undefined, count: shownCount(counts?.experiments) };
  const each = tabs.map((tab) => ({
    name: tab.name,
    to: to(tab.kind),
    current: tab.kind === kind,
    count: shownCount(counts?.[tab.kind]),
  }));
  return <Tabs label="Kinds" tabs={[all, ...each]} />;
}

/** The rows of the list in the URL, and how they are shown. */
function useList() {
  const [search] = useSearchParams();
  const [kind, group] = [kindIn(search.get('kind')), search.get('cause_group') ?? undefined];
  const filters = useAttentionFilters();
  const byCause = group === undefined && !search.has('every') && showsCauses(kind) && filters.only !== 'snoozed';
  const attention = useAttention({ ...filters, kind, causeGroup: byCause ? 'none' : group });
  const causes = useAttentionGroups({ ...filters, kind });
  const groups = causes.data?.groups ?? [];
  const decisions = withExits(
    attention.rows.filter((row) => row.kind === 'decide'),
    attention.states ?? [],
  );
  const others = attention.rows.filter((row) => row.kind !== 'decide');
  const rows: AttentionRow[] = [...decisions, ...(byCause ? groups.map(rowOf) : []), ...others];
  const isOverview = kind === undefined && byCause && filters.only === undefined;
  const isFiltered = kind !== undefined || Object.values(filters).some((value) => value !== undefined);
  const shown = { kind, group, only: filters.only, isFiltered, byCause, isOverview };
  return { ...shown, groups, attention, causes, rows, next: decisions[0] };
}

export function AttentionPage() {
  useTitle('Needs attention');
  useVisit();
  const list = useList();
  const { kind, group, groups, only, attention, causes, rows } = list;
  const { counts, states = [], newSince } = attention;
  return (
    <RowDialogs>
      <PageHead
        title={counts ? headline(counts.experiments) : 'Needs attention'}
        about={counts ? aboutOthers(counts, newSince) : undefined}
      >
        <HeadButtons list={list} />
      </PageHead>
      <div className={styles['bar']}>
        <KindTabs kind={kind} counts={counts} />
        <AttentionFilters counts={counts} only={only} />
      </div>
      <QueryErrors queries={attention.first.error ? [] : [causes]} />
      {group === undefined ? null : <OpenGroup group={groups.find(({ cause_group: key }) => key === group)} />}
      {only === 'snoozed' ? <Snoozed /> : <Undecided kind={kind} states={states} />}
      <UsualStays rows={rows}>
        <QueryResult query={attention.first} what="experiments that need attention">
          {() =>
            list.byCause && causes.isPending ? (
              <Loading what="causes" />
            ) : rows.length === 0 ? (
              <NoRows isFiltered={list.isFiltered} isEmpty={counts?.total === 0} />
            ) : list.isOverview && counts ? (
              <AttentionSections rows={rows} counts={counts} states={states} />
            ) : (
              <AllRows list={list} />
            )
          }
        </QueryResult>
      </UsualStays>
    </RowDialogs>
  );
}

type List = ReturnType<typeof useList>;

/** The next decision is the primary action. */
function HeadButtons({ list: { kind, only, attention, rows, next } }: { list: List }) {
  const linkTo = useLinkTo();
  const decisionPath = useDecisionPath();
  const csv = useCsv({
    file: `attention${kind === undefined ? '' : `-${kind}`}`,
    operation: 'listAttention',
    query: attention.exported,
    columns: csvColumns,
  });
  const snoozed = attention.counts?.snoozed ?? 0;
  return (
    <>
      {snoozed > 0 && only !== 'snoozed' ? (
        <Button component={Link} to={linkTo({ only: 'snoozed', kind: undefined })}>
          Snoozed {cappedCount(snoozed)}
        </Button>
      ) : null}
      <Button
        onClick={csv.download}
        loading={csv.isPending}
        {...unavailable(rows.length === 0 && 'There are no rows to export.')}
      >
        Export CSV
      </Button>
      {next && only !== 'snoozed' ? (
        <Button component={Link} variant="filled" to={decisionPath(next.experiment.id)}>
          Decide next
        </Button>
      ) : null}
    </>
  );
}

const AllRows = ({ list: { byCause, causes, attention, rows } }: { list: List }) => (
  <>
    <DataTable
      label="Experiments that need attention"
      columns={attentionColumns}
      rows={rows}
      rowKey={keyOf}
      rowHeight={61}
    />
    {byCause && causes.data?.more === true ? <MoreCauses /> : null}
    {attention.rows.length > 0 || attention.hasMore ? <MoreRows of={attention} noun="item" /> : null}
  </>
);

/** Only next to decisions. */
const Undecided = ({ kind, states }: { kind: AttentionKind | undefined; states: readonly RestingState[] }) =>
  kind === undefined || kind === 'decide' ? (
    <UndecidedStates states={states.filter((state) => state.kind === 'undecided')} />
  ) : null;

function Snoozed() {
  const linkTo = useLinkTo();
  return (
    <p className={styles['group']}>
      Snoozed experiments return when the snooze ends, or when they move or fail again.{' '}
      <Link to={linkTo({ only: undefined })} replace>
        Show experiments that need attention
      </Link>
    </p>
  );
}

/** The cause whose experiments are listed. */
function OpenGroup({ group }: { group: AttentionGroup | undefined }) {
  const linkTo = useLinkTo();
  return group === undefined ? null : (
    <p className={styles['group']}>
      <bdi>{group.callback}</bdi> · <bdi>{group.title}</bdi> · {sizeOf(group)}.{' '}
      <Link to={linkTo({ cause_group: undefined })} replace>
        Show all causes
      </Link>
    </p>
  );
}

function MoreCauses() {
  const linkTo = useLinkTo();
  return (
    <p className={styles['group']}>
      The 100 most frequent causes are shown. <Link to={linkTo({ every: '' })}>Show every experiment</Link>
    </p>
  );
}

/** Users who cannot create experiments wait for those of others. */
function NoRows({ isFiltered, isEmpty }: { isFiltered: boolean; isEmpty: boolean }) {
  const mayAdd = usePermissionSomewhere('sample_add');
  if (isFiltered) return <EmptyState title="No matching experiments." />;
  if (isEmpty && mayAdd) {
    return (
      <Suspense>
        <FirstSteps />
      </Suspense>
    );
  }
  return (
    <EmptyState title="Nothing needs attention.">
      Experiments appear here when they wait for a decision, when a callback fails, times out or is overdue, or when
      they are blocked.
    </EmptyState>
  );
}
