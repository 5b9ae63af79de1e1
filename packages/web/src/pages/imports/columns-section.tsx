/** The columns of the file and what each contains. A change starts the check again. */
import { Link } from 'react-router';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { Unit } from '../../ui/unit.tsx';
import type { ImportChange } from './import-queries.ts';
import { isChangeable, targetName, type Import, type ImportColumn } from './import-words.ts';
import { InlineText } from './inline-text.tsx';
import { mappingOf, withColumn } from './mapping.ts';
import { MappingMenu } from './mapping-menu.tsx';
import { TargetMenu } from './target-menu.tsx';
import { useSystems } from './use-systems.ts';
import styles from './imports.module.css';

interface Props {
  of: Import;
  change: ImportChange;
}

type Target = Pick<ImportColumn, 'target' | 'name' | 'template'>;

export function ColumnsSection({ of, change }: Props) {
  const { data: systems = [] } = useSystems();
  const setColumns = (columns: ImportColumn[]) =>
    change.mutate({ update: { columns: mappingOf(columns) }, shown: { columns, status: 'checking', checked: 0 } });
  const columns = columnsOf(of, systems, (header, target) => setColumns(withColumn(of.columns, header, target)));
  const hasSubject = of.columns.some(({ target }) => target === 'subject');
  return (
    <Section
      title="Columns"
      aside={isChangeable(of) ? <MappingMenu of={of} onChoose={setColumns} /> : <UsedMapping of={of} />}
    >
      {hasSubject ? null : <p className={styles['hint']}>Choose the column that contains the subject label.</p>}
      <div className={styles['dense']}>
        <DataTable label="Columns" columns={columns} rows={of.columns} rowKey={({ header }) => header} />
      </div>
    </Section>
  );
}

const UsedMapping = ({ of: { mapping_name: name } }: { of: Import }) =>
  name === null ? null : (
    <span className={styles['quiet']}>
      Mapping: <bdi>{name}</bdi> (saved)
    </span>
  );

const columnsOf = (
  of: Import,
  systems: readonly string[],
  onChange: (header: string, target: Target) => void,
): readonly Column<ImportColumn>[] => [
  {
    id: 'header',
    header: 'Column in file',
    names: true,
    width: '18%',
    text: ({ header }) => header,
    cell: ({ header }) => (
      <code>
        <Name text={header} />
      </code>
    ),
  },
  {
    id: 'values',
    header: 'First values',
    text: ({ first_values: values }) => values.join(', '),
    cell: ({ first_values: values }) => (
      <span className={styles['values']}>
        <Name text={values.join(', ')} />
      </span>
    ),
  },
  {
    id: 'target',
    header: 'Maps to',
    width: '38%',
    text: ({ target, name }) => targetName(target, name),
    cell: (column) =>
      isChangeable(of) ? (
        <EditableTarget column={column} systems={systems} onChange={(target) => onChange(column.header, target)} />
      ) : (
        <FixedTarget column={column} />
      ),
  },
  {
    id: 'faults',
    header: 'Faults',
    align: 'right',
    width: '64px',
    text: ({ faults }) => String(faults),
    cell: (column) => <FaultCount column={column} />,
  },
];

/** A link to the faults of the column. */
const FaultCount = ({ column: { header, faults, target } }: { column: ImportColumn }) => {
  if (faults === 0) return <span className={styles['none']}>{target === 'ignored' ? '–' : '0'}</span>;
  return (
    <>
      <Link
        className={styles['link']}
        to={`?${new URLSearchParams({ column: header }).toString()}`}
        replace
        preventScrollReset
        aria-label={`${count(faults)} in ${header}`}
      >
        {count(faults)}
      </Link>
      <Unit of={faults === 1 ? 'fault' : 'faults'} />
    </>
  );
};

const FixedTarget = ({ column: { target, name, template } }: { column: ImportColumn }) => (
  <span className={styles['fixed']} data-ignored={target === 'ignored' || undefined}>
    <bdi>{targetName(target, name)}</bdi>
    {target === 'variable' ? <bdi> · {name}</bdi> : null}
    {template === null ? null : <code dir="auto"> {template}</code>}
  </span>
);

interface EditableProps {
  column: ImportColumn;
  systems: readonly string[];
  onChange: (target: Target) => void;
}

function EditableTarget({ column, systems, onChange }: EditableProps) {
  const { header, target, name, template } = column;
  return (
    <span className={styles['target']}>
      <TargetMenu column={column} systems={systems} onChange={onChange} />
      {target === 'variable' ? (
        <InlineText
          label={`Name of the variable in ${header}`}
          value={name ?? ''}
          placeholder="Name"
          maxLength={255}
          onChange={(text) => text !== '' && onChange({ target, name: text, template: null })}
        />
      ) : null}
      {target === 'experiment' ? (
        <InlineText
          label={`Template of the experiment label in ${header}`}
          value={template ?? ''}
          placeholder={`{${header}}`}
          maxLength={1000}
          onChange={(text) => onChange({ target, name: null, template: text === '' ? null : text })}
        />
      ) : null}
    </span>
  );
}
