/** The columns for experiments that a query found. The user chooses among them, variables and external IDs. */
import type { BodyOf } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import type { Column } from '../../table/column.ts';
import type { TableSort } from '../../table/data-table.tsx';
import { Name, NameLink } from '../../ui/name.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { experimentColumns } from './experiment-columns.tsx';
import { sortByDefault, variablePrefix, type foundFields, type Sort } from './found-fields.ts';
import styles from './experiment-columns.module.css';

type FirstName<Path> = Path extends `${infer Name}.${string}` ? Name : Path;
type Found = BodyOf<'searchExperiments'>['experiments'][number];
/** Rows that were loaded for other columns have no variables. */
export type FoundExperiment = Pick<Found, FirstName<(typeof foundFields)[number]> & keyof Found> &
  Partial<Pick<Found, 'variables'>>;

export type FoundColumn = Column<FoundExperiment> & {
  /** The orders of the server, first the one of the first click. */
  sorts?: readonly [Sort, Sort];
};

const { experiment, subject, cohort, workflow, state, run, scandate, entered } = experimentColumns;

/** The experiment with its subject below. It cannot be hidden. */
const named: FoundColumn = {
  ...experiment,
  csv: ['label', 'subject.label'],
  width: '22%',
  sorts: ['label', '-label'],
  cell: (row) => (
    <>
      <NameLink text={row.label} to={paths.experiment(row.id)} />
      <div className={styles['below']}>
        <Name text={row.subject.label} />
      </div>
    </>
  ),
};

export const fixedColumns: readonly FoundColumn[] = [
  { ...subject, csv: [], sorts: ['subject', '-subject'] },
  { ...cohort, sorts: ['cohort', '-cohort'] },
  { ...workflow, sorts: ['workflow', '-workflow'] },
  { ...state, sorts: ['state', '-state'] },
  {
    ...run,
    csv: ['incidents.kind', 'incidents.cause', 'executions.callback', 'executions.status', 'executions.result'],
  },
  { ...scandate, sorts: ['-scanned', 'scanned'] },
  {
    ...entered,
    header: 'In state',
    width: '108px',
    sorts: ['-in-state', 'in-state'],
    cell: ({ entered_at: at }) => (at === null ? '—' : <Timestamp at={at} as="length" />),
  },
  {
    id: 'changed',
    header: 'Last change',
    csv: ['changed_at'],
    align: 'right',
    wideOnly: true,
    width: '124px',
    sorts: ['-changed', 'changed'],
    text: ({ changed_at: at }) => at ?? '',
    cell: ({ changed_at: at }) => (at === null ? '—' : <Timestamp at={at} as="short" />),
  },
];

export const columnsByDefault: readonly string[] = ['cohort', 'state', 'run', 'entered', 'changed'];

export const externalPrefix = 'external.';

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** A column for a key of the variables or of the external IDs. */
const keyColumn = (id: string, key: string, field: 'variables' | 'external_ids'): FoundColumn => ({
  id,
  header: key,
  // A comma separates columns in the request.
  csv: key.includes(',') ? [] : [`${field}.${key}`],
  wideOnly: true,
  text: (row) => textOf(row[field]?.[key]),
  cell: (row) => <Name text={textOf(row[field]?.[key])} />,
});

/** Undefined for an unknown column of a link. */
export function columnOf(id: string): FoundColumn | undefined {
  if (id.startsWith(variablePrefix)) return keyColumn(id, id.slice(variablePrefix.length), 'variables');
  if (id.startsWith(externalPrefix)) return keyColumn(id, id.slice(externalPrefix.length), 'external_ids');
  return fixedColumns.find((column) => column.id === id);
}

/** A click on a header requests the first order of its column, then the second one, then the default one. */
export const sortOf = (columns: readonly FoundColumn[], current: Sort, onSort: (sort: Sort) => void): TableSort => {
  const sortsOf = (id: string) => columns.find((column) => column.id === id)?.sorts;
  return {
    directionOf: (id) => {
      const sorts = sortsOf(id);
      if (!sorts) return undefined;
      if (!sorts.includes(current)) return 'none';
      return current.startsWith('-') ? 'descending' : 'ascending';
    },
    onSort: (id) => {
      const [first, second] = sortsOf(id) ?? [];
      onSort((current === first ? second : current === second ? undefined : first) ?? sortByDefault);
    },
  };
};

export const columnsOf = (ids: readonly string[]): FoundColumn[] => [named, ...ids.flatMap((id) => columnOf(id) ?? [])];
