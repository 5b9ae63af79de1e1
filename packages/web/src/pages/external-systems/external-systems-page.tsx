/** The systems that know our subjects and experiments under names of their own. */
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { Empty } from '../../shown/empty.tsx';
import { Name } from '../../shown/name.tsx';
import { OutwardLink } from '../../shown/outward-link.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { useTitle } from '../../shown/use-title.ts';
import type { Column } from '../../table/column.ts';
import { PagedTable } from '../../table/paged-table.tsx';
import { usePages } from '../../table/use-pages.ts';
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
  { id: 'url', header: 'Address', text: ({ url }) => url, cell: ({ url }) => <OutwardLink url={url} /> },
];

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
  return (
    <>
      <PageHead
        title="External systems"
        about="Archives, task managers and others that know our subjects and experiments under ids of their own."
      />
      <PagedTable
        of={systems}
        what="external systems"
        label="External systems"
        columns={columns}
        empty={
          <Empty title="There is no external system yet.">
            They come with a configuration, or are created through the interface.
          </Empty>
        }
      />
    </>
  );
}
