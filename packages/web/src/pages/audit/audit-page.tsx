/** The audit log: searches, shows and exports the history, and explains how to verify it. */
import { Button } from '@mantine/core';
import { basePath } from '../../api/client.ts';
import { useFilters } from '../../filters/use-filters.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { QueryErrors } from '../../ui/query-result.tsx';
import { auditColumns } from './audit-columns.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { ExpandedEntriesContext, useExpandedEntriesState } from './expanded-entries.ts';
import { useAudit, useAuditFilters, useCheckpoints } from './use-audit.ts';
import { Verification } from './verification.tsx';

/** The entries that match the filters. The history itself is exported as a whole, because only the whole can be verified. */
const csvColumns = [
  'id',
  'at',
  'actor.kind',
  'actor.name',
  'operation',
  'object.kind',
  'object.id',
  'object.label',
  'before',
  'after',
  'reason',
  'request_id',
];

export function AuditPage() {
  useTitle('Audit log');
  const { clear } = useFilters();
  const filters = useAuditFilters();
  const audit = useAudit(filters);
  const csv = useCsv({ file: 'audit', operation: 'listAudit', query: filters, columns: csvColumns });
  const checkpoints = useCheckpoints();
  const expanded = useExpandedEntriesState();
  return (
    <>
      <PageHead title="Audit log" about="Every change with its actor and reason, newest first.">
        <Button loading={audit.first.isFetching} onClick={audit.refresh}>
          Refresh
        </Button>
        <Button onClick={csv.download} loading={csv.isPending} disabled={audit.rows.length === 0}>
          Export CSV
        </Button>
        <Button component="a" href={`${basePath}/audit/export`} download="history.ndjson">
          Export history
        </Button>
      </PageHead>
      <QueryErrors queries={[audit.first, checkpoints]} onClearFilters={clear} />
      <Verification checkpoints={checkpoints.data} />
      <AuditFilters entries={audit.rows} />
      <ExpandedEntriesContext value={expanded}>
        <Entries of={audit} />
      </ExpandedEntriesContext>
    </>
  );
}

function Entries({ of: audit }: { of: ReturnType<typeof useAudit> }) {
  if (audit.first.data === undefined) return audit.first.error ? null : <Loading what="the history" />;
  if (audit.rows.length === 0) return <NoEntries of={audit} />;
  return (
    <>
      <DataTable
        label="Entries"
        columns={auditColumns}
        rows={audit.rows}
        rowKey={({ id }) => String(id)}
        rowHeight={61}
      />
      <MoreRows of={audit} noun="entry" plural="entries" />
    </>
  );
}

function NoEntries({ of: { hasMore, isLoadingMore, loadMore } }: { of: ReturnType<typeof useAudit> }) {
  const { clear } = useFilters();
  return (
    <EmptyState title="No matching entries.">
      {hasMore ? (
        <Button variant="subtle" loading={isLoadingMore} onClick={loadMore}>
          Search older entries
        </Button>
      ) : (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
    </EmptyState>
  );
}
