/** The audit log: every change as a sentence, by day, with filters in the URL and exports of the same entries. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useFilters } from '../../filters/use-filters.ts';
import { paths } from '../../paths.ts';
import { countOf } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { QueryErrors } from '../../ui/query-result.tsx';
import { unavailable } from '../../ui/unavailable.ts';
import { AuditFilters, KindTabs } from './audit-filters.tsx';
import { DaySection } from './day-section.tsx';
import { byDay } from './days.ts';
import { useExport } from './use-export.ts';
import { useAudit, useAuditFilters, useCheckpoints, type Filters } from './use-audit.ts';
import { Verification } from './verification.tsx';
import styles from './audit.module.css';

export function AuditPage() {
  useTitle('Audit log');
  const { clear, numberOf } = useFilters();
  const filters = useAuditFilters();
  const entry = numberOf('entry');
  const audit = useAudit(filters, entry);
  const checkpoints = useCheckpoints();
  const exported = useExport(filters);
  return (
    <>
      <PageHead title="Audit log" about={<Verification checkpoints={checkpoints.data} />}>
        <Button
          onClick={exported.csv}
          loading={exported.isPending}
          {...unavailable(audit.rows.length === 0 && 'There are no rows to export.')}
        >
          Export CSV
        </Button>
        <Button
          onClick={exported.ndjson}
          loading={exported.isPending}
          {...unavailable(audit.rows.length === 0 && 'There are no rows to export.')}
        >
          Export NDJSON
        </Button>
      </PageHead>
      <QueryErrors queries={[audit.first, checkpoints]} onClearFilters={clear} />
      {entry === undefined ? (
        <>
          <KindTabs />
          <AuditFilters entries={audit.rows} />
        </>
      ) : (
        <p className={styles['linked']}>
          The log from entry {entry} on. <Link to={paths.audit}>Show the latest entries</Link>
        </p>
      )}
      <Entries of={audit} filters={filters} />
    </>
  );
}

interface Props {
  of: ReturnType<typeof useAudit>;
  filters: Filters;
}

function Entries({ of: audit, filters }: Props) {
  const { rows, first } = audit;
  if (first.data === undefined) return first.error ? null : <Loading what="the audit log" />;
  if (rows.length === 0) return <NoEntries of={audit} filters={filters} />;
  const pages = [...new Set(rows.map(({ page }) => page))];
  const counts = new Map(pages.flatMap(({ days }) => days.toReversed().map((day) => [day.day, day] as const)));
  return (
    <>
      {byDay(rows).map(({ day, entries }) => (
        <DaySection key={day} day={day} entries={entries} counts={counts.get(day)} filters={filters} />
      ))}
      <Earlier of={audit} isByPeople={filters.by === 'people'} />
    </>
  );
}

interface EarlierProps {
  of: Props['of'];
  isByPeople: boolean;
}

function Earlier({ of: { rows, hasMore, isLoadingMore, loadMore, problem }, isByPeople }: EarlierProps) {
  // The others of a day are not counted when the user shows them.
  const whose = isByPeople ? ' by people' : '';
  if (problem) return <ProblemNote error={problem.error} onRetry={problem.retry} />;
  return (
    <div className={styles['earlier']}>
      {hasMore ? (
        <Button variant="subtle" loading={isLoadingMore} onClick={loadMore}>
          Load earlier entries
        </Button>
      ) : null}
      <span role="status">{countOf(rows.length, `entry${whose}`, `entries${whose}`)}</span>
    </div>
  );
}

function NoEntries({ of: { hasMore, isLoadingMore, loadMore }, filters }: Props) {
  const { clear, set } = useFilters();
  const isByPeople = filters.by === 'people';
  return (
    <EmptyState title={isByPeople ? 'No matching entries by people.' : 'No matching entries.'}>
      {hasMore ? (
        <Button variant="subtle" loading={isLoadingMore} onClick={loadMore}>
          Search earlier entries
        </Button>
      ) : null}
      {isByPeople ? (
        <Button variant="subtle" onClick={() => set({ by: 'all' })}>
          Include service accounts and workflows
        </Button>
      ) : null}
      {hasMore ? null : (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
    </EmptyState>
  );
}
