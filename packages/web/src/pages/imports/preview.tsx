/** The first lines of an import, as they will be stored. */
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { countOf } from '../../ui/numbers.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { NarrowHead } from '../../ui/unit.tsx';
import { lineText, targetName, type Import, type ImportColumn, type ImportLine } from './import-words.ts';
import { NamedStateChip } from '../workflows/named-state-chip.tsx';
import { storedDay } from './stored-day.ts';
import { usePreviewLines } from './use-preview-lines.ts';
import styles from './imports.module.css';

/** More would be too narrow. */
const mostValues = 4;
const ownColumns: ReadonlySet<ImportColumn['target']> = new Set(['ignored', 'subject', 'experiment', 'state']);

const headerOf = ({ target, name }: ImportColumn) =>
  target === 'variable' || target === 'subject_id' || target === 'experiment_id'
    ? (name ?? '')
    : targetName(target, name);

function valueColumns(of: Import): Column<ImportLine>[] {
  const mapped = of.columns.map((column, index) => ({ column, index }));
  return mapped
    .filter(({ column }) => !ownColumns.has(column.target))
    .slice(0, mostValues)
    .map(({ column, index }) => {
      const isDay = column.target === 'scan_date' || column.target === 'date_of_birth';
      const text = ({ values }: ImportLine) => (isDay ? storedDay(values[index] ?? '') : (values[index] ?? ''));
      return { id: `value ${index}`, header: headerOf(column), text, cell: (line) => <Name text={text(line)} /> };
    });
}

const columnsOf = (of: Import): readonly Column<ImportLine>[] => [
  {
    id: 'line',
    header: 'Line',
    align: 'right',
    width: '52px',
    text: ({ line }) => String(line),
    cell: ({ line }) => (
      <>
        <NarrowHead text="Line" />
        {line}
      </>
    ),
  },
  {
    id: 'subject',
    header: 'Subject',
    names: true,
    width: '13%',
    text: ({ subject }) => subject ?? '',
    cell: ({ subject }) => <Name text={subject ?? '–'} />,
  },
  {
    id: 'experiment',
    header: 'Experiment',
    width: '17%',
    text: ({ experiment }) => experiment ?? '',
    cell: ({ experiment }) =>
      experiment === null ? (
        '–'
      ) : (
        <b>
          <Name text={experiment} />
        </b>
      ),
  },
  {
    id: 'state',
    header: 'State',
    text: ({ state }) => state ?? '',
    cell: ({ state }) => (state === null ? '–' : <NamedStateChip workflow={of.workflow} label={state} />),
  },
  ...valueColumns(of),
  {
    id: 'result',
    header: 'Result',
    width: '216px',
    text: lineText,
    cell: (line) => <span data-result={line.result}>{lineText(line)}</span>,
  },
];

export function Preview({ of }: { of: Import }) {
  const lines = usePreviewLines(of);
  const shown = lines.data?.lines.length ?? 0;
  const first = shown === 1 ? 'The first line' : `The first ${countOf(shown, 'line')}`;
  return (
    <Section
      title={of.started_at === null ? 'Preview' : 'First lines'}
      aside={
        shown === 0 ? null : (
          <span className={styles['quiet']}>
            {of.started_at === null ? `${first} as ${shown === 1 ? 'it' : 'they'} will be after the import` : first}
          </span>
        )
      }
    >
      <QueryResult query={lines} what="the first lines">
        {(data) => (
          <div className={styles['dense']} aria-busy={of.status === 'checking'}>
            <DataTable label="Preview" columns={columnsOf(of)} rows={data.lines} rowKey={({ line }) => String(line)} />
          </div>
        )}
      </QueryResult>
    </Section>
  );
}
