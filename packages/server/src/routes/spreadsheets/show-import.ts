/** Imports, their columns and lines in responses. */
import type { Import, ImportLine } from '@milepost/api';
import type { Static } from 'typebox';
import type { Links } from '../../links.ts';
import type { LineRow } from '../../store/spreadsheets/import-lines.ts';
import type { ImportRow } from '../../store/spreadsheets/imports.ts';
import { showPace } from '../pace.ts';

const shownValues = 3;

export const showImport = (links: Links, row: ImportRow): Static<typeof Import> => ({
  id: row.id,
  uri: links.uri('imports', row.id),
  cohort: links.ref('cohorts', { id: row.cohort_id, label: row.cohort_label }),
  file_name: row.file_name,
  encoding: row.encoding,
  delimiter: row.delimiter,
  status: row.status,
  stopped_because: row.stopped_because,
  workflow:
    row.workflow_id === null ? null : links.ref('workflows', { id: row.workflow_id, label: row.workflow_label ?? '' }),
  mapping_name: row.mapping_name,
  columns: row.headers.map((header, index) => showColumn(row, header, index)),
  author: { id: row.author_id, name: row.author_name },
  lines: row.lines,
  checked: row.ready + row.unchanged + row.faulty + row.done,
  ready: row.ready,
  unchanged: row.unchanged,
  faulty: row.faulty,
  done: row.done,
  new_subjects: row.new_subjects,
  new_experiments: row.new_experiments,
  faults: row.column_faults.reduce((sum, count) => sum + count, 0),
  ...showPace(row),
  created_at: row.created_at,
  checked_at: row.checked_at,
  started_at: row.started_at,
  ended_at: row.ended_at,
});

const showColumn = ({ mapping, column_faults, first_lines }: ImportRow, header: string, index: number) => {
  const { target, name, template } = mapping[index] ?? { target: 'ignored' as const };
  const values = first_lines.map((cells) => cells[index] ?? '').filter((value) => value !== '');
  return {
    header,
    first_values: values.slice(0, shownValues),
    target,
    name: name ?? null,
    template: template ?? null,
    faults: column_faults[index + 1] ?? 0,
  };
};

export const showLine = ({ cells, ...row }: LineRow): Static<typeof ImportLine> => ({ ...row, values: cells });
