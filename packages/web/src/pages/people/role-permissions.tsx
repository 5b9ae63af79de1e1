import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './roles.module.css';

interface Row {
  name: string;
  description: string;
  held: boolean;
}

const columns: readonly Column<Row>[] = [
  {
    id: 'description',
    header: 'Permission',
    names: true,
    width: '62%',
    text: ({ description }) => description,
    cell: ({ description, held }) => (
      <span className={styles['description']} data-held={held || undefined}>
        {description}
      </span>
    ),
  },
  {
    id: 'name',
    header: 'Name',
    wideOnly: true,
    text: ({ name }) => name,
    cell: ({ name }) => <code>{name}</code>,
  },
  {
    id: 'held',
    header: 'Allowed',
    align: 'right',
    width: '96px',
    text: ({ held }) => (held ? 'yes' : 'no'),
    cell: ({ held }) => (
      <span className={styles['held']} data-held={held || undefined}>
        <Icon name={held ? 'success' : 'none'} /> {held ? 'Yes' : 'No'}
      </span>
    ),
  },
];

export const RolePermissions = ({ rows, label }: { rows: Row[]; label: string }) => (
  <DataTable label={label} columns={columns} rows={rows} rowKey={({ name }) => name} />
);
