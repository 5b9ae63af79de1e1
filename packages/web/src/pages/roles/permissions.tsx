import { Icon } from '../../shown/icon.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import styles from './roles.module.css';

interface Row {
  name: string;
  words: string;
  held: boolean;
}

const columns: readonly Column<Row>[] = [
  {
    id: 'words',
    header: 'Who has the role may',
    names: true,
    width: '62%',
    text: ({ words }) => words,
    cell: ({ words, held }) => (
      <span className={styles['words']} data-held={held || undefined}>
        {words}
      </span>
    ),
  },
  {
    id: 'name',
    header: 'Permission',
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

export const Permissions = ({ rows, label }: { rows: Row[]; label: string }) => (
  <DataTable label={label} columns={columns} rows={rows} rowKey={({ name }) => name} />
);
