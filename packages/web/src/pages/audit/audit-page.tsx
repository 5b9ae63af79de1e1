/** Everything that was changed, by whom and why: searched, opened, exported, and how to be sure of it. */
import { Button } from '@mantine/core';
import { basePath } from '../../api/client.ts';
import { Answer } from '../../shown/answer.tsx';
import { Empty } from '../../shown/empty.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { auditColumns } from './audit-columns.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { OpenedContext, useOpenedState } from './opened.ts';
import { Signed } from './signed.tsx';
import { useAudit, useAuditFilters } from './use-audit.ts';

export function AuditPage() {
  useTitle('Audit');
  const audit = useAudit(useAuditFilters());
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
      <Signed />
      <AuditFilters entries={audit.rows} />
      <OpenedContext value={opened}>
        <Answer of={audit.first} what="the history">
          {() => <Entries of={audit} />}
        </Answer>
      </OpenedContext>
    </>
  );
}

const Entries = ({ of: audit }: { of: ReturnType<typeof useAudit> }) =>
  audit.rows.length > 0 ? (
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
  ) : (
    <Empty title="No change matches.">
      {audit.hasMore ? (
        <Button variant="subtle" loading={audit.isLoadingMore} onClick={audit.loadMore}>
          Not among the newest that were looked at: look further back
        </Button>
      ) : (
        'Nothing was recorded that fits all filters.'
      )}
    </Empty>
  );
