/** Everything that was changed, by whom and why: searched, opened, exported, and how to be sure of it. */
import { Button } from '@mantine/core';
import { basePath } from '../../api/client.ts';
import { Empty } from '../../shown/empty.tsx';
import { Loading } from '../../shown/loading.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { Refused } from '../../shown/refused.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { auditColumns } from './audit-columns.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { OpenedContext, useOpenedState } from './opened.ts';
import { Signed } from './signed.tsx';
import { useAudit, useAuditFilters, useSigned } from './use-audit.ts';

export function AuditPage() {
  useTitle('Audit');
  const audit = useAudit(useAuditFilters());
  const signed = useSigned();
  const opened = useOpenedState();
  return (
    <>
      <PageHead title="Audit" about="Everything that was changed, by whom and why, for good. The newest stands first.">
        <Button loading={audit.first.isFetching} onClick={audit.refresh}>
          Read again
        </Button>
        <Button component="a" href={`${basePath}/audit/export`} download="history.ndjson">
          Export history
        </Button>
      </PageHead>
      <Refused among={[audit.first, signed]} />
      <Signed signed={signed.data} />
      <AuditFilters entries={audit.rows} />
      <OpenedContext value={opened}>
        <Entries of={audit} />
      </OpenedContext>
    </>
  );
}

function Entries({ of: audit }: { of: ReturnType<typeof useAudit> }) {
  if (audit.first.data === undefined) return audit.first.error ? null : <Loading what="the history" />;
  if (audit.rows.length === 0) return <NoEntries of={audit} />;
  return (
    <>
      <DataTable
        label="Changes"
        columns={auditColumns}
        rows={audit.rows}
        rowKey={({ id }) => String(id)}
        rowHeight={61}
      />
      <MoreRows of={audit} />
    </>
  );
}

const NoEntries = ({ of: { hasMore, isLoadingMore, loadMore } }: { of: ReturnType<typeof useAudit> }) => (
  <Empty title="No change matches.">
    {hasMore ? (
      <Button variant="subtle" loading={isLoadingMore} onClick={loadMore}>
        Not among the newest that were looked at: look further back
      </Button>
    ) : (
      'Nothing was recorded that fits all filters.'
    )}
  </Empty>
);
