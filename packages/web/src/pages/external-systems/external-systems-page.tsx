/** All external systems: whether they respond, and what uses them. */
import { usePermission } from '../../session/session-context.ts';
import type { Column } from '../../table/column.ts';
import { PagedTable } from '../../table/paged-table.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { Name } from '../../ui/name.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { EditExternalSystem, NewExternalSystem } from './external-system-forms.tsx';
import { LastChecked, LastError, Latency, Status, statusOrder } from './system-status.tsx';
import { Uses } from './system-uses.tsx';
import styles from './external-systems.module.css';
import { useExternalSystems, type SystemRow } from './use-external-systems.ts';

const columns: readonly Column<SystemRow>[] = [
  {
    id: 'system',
    header: 'System',
    names: true,
    width: '20%',
    text: ({ system_name }) => system_name,
    cell: ({ system_name, url }) => (
      <>
        <span className={styles['system']}>
          <Name text={system_name} />
        </span>
        {url === '' ? null : (
          <span className={styles['url']}>
            <ExternalLink url={url} />
          </span>
        )}
      </>
    ),
  },
  { id: 'status', header: 'Status', width: '13%', text: statusOrder, cell: (row) => <Status of={row} /> },
  {
    id: 'latency',
    header: 'Latency',
    align: 'right',
    width: '96px',
    wideOnly: true,
    text: ({ check }) => String(check?.latency_ms ?? ''),
    cell: (row) => <Latency of={row} />,
  },
  {
    id: 'error',
    header: 'Last error',
    text: ({ check }) => check?.last_error_at ?? '',
    cell: (row) => <LastError of={row} />,
  },
  {
    id: 'uses',
    header: 'Used by',
    width: '20%',
    text: ({ callbacks }) => String(callbacks.count),
    cell: (row) => <Uses of={row} />,
  },
  {
    id: 'checked',
    header: 'Last checked',
    width: '112px',
    wideOnly: true,
    text: ({ check }) => check?.checked_at ?? '',
    cell: (row) => <LastChecked of={row} />,
  },
];

const editColumn: Column<SystemRow> = {
  id: 'edit',
  header: 'Edit',
  control: true,
  width: '64px',
  text: () => '',
  cell: (system) => <EditExternalSystem system={system} />,
};

export function ExternalSystemsPage() {
  useTitle('External systems');
  const systems = useExternalSystems();
  const mayEdit = usePermission('config_manage');
  return (
    <>
      <PageHead
        title="External systems"
        about="Systems that store subjects or experiments under their own IDs. Workers check them every 5 minutes."
      >
        {systems.rows.length > 0 ? <NewExternalSystem /> : null}
      </PageHead>
      <PagedTable
        of={systems}
        what="external systems"
        label="External systems"
        columns={mayEdit ? [...columns, editColumn] : columns}
        rowHeight={60}
        empty={
          <EmptyState title="No external systems yet." actions={<NewExternalSystem />}>
            Create one to store the IDs that subjects and experiments have there.
          </EmptyState>
        }
      />
    </>
  );
}
