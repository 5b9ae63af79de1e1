/** All external systems, in which subjects and experiments have external IDs. */
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { usePermission } from '../../session/session-context.ts';
import type { Column } from '../../table/column.ts';
import { PagedTable } from '../../table/paged-table.tsx';
import { usePages } from '../../table/use-pages.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import { Name } from '../../ui/name.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { EditExternalSystem, NewExternalSystem } from './external-system-forms.tsx';
import styles from './external-systems.module.css';

type SystemRow = BodyOf<'listExternalSystems'>['external_systems'][number];

const columns: readonly Column<SystemRow>[] = [
  {
    id: 'system',
    header: 'System',
    names: true,
    width: '32%',
    text: ({ system_name }) => system_name,
    cell: ({ system_name }) => (
      <span className={styles['system']}>
        <Name text={system_name} />
      </span>
    ),
  },
  { id: 'url', header: 'URL', text: ({ url }) => url, cell: ({ url }) => <ExternalLink url={url} /> },
];

const editColumn: Column<SystemRow> = {
  id: 'edit',
  header: 'Edit',
  control: true,
  width: '80px',
  text: () => '',
  cell: (system) => <EditExternalSystem system={system} />,
};

const useSystems = () =>
  usePages({
    query: (after, limit) =>
      operationQuery(
        'listExternalSystems',
        { query: { limit, ...(after === undefined ? {} : { after }) } },
        ({ object_kind }) => object_kind === 'external_system',
      ),
    rowsOf: ({ external_systems }) => external_systems,
    filter: '',
  });

export function ExternalSystemsPage() {
  useTitle('External systems');
  const systems = useSystems();
  const mayEdit = usePermission('config_manage');
  return (
    <>
      <PageHead
        title="External systems"
        about="Archives, task managers and other systems that store subjects or experiments under their own IDs."
      >
        {systems.rows.length > 0 ? <NewExternalSystem /> : null}
      </PageHead>
      <PagedTable
        of={systems}
        what="external systems"
        label="External systems"
        columns={mayEdit ? [...columns, editColumn] : columns}
        empty={
          <EmptyState title="No external systems yet." actions={<NewExternalSystem />}>
            Create one to store the IDs that subjects and experiments have there.
          </EmptyState>
        }
      />
    </>
  );
}
