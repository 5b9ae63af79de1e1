/** The mapping of the columns of a spreadsheet, as a request gives it: by header. */
import { escapePointer, namedTargets, repeatableTargets, type ColumnMapping, type Fault } from '@milepost/api';
import { placeholdersOf } from '../../engine/spreadsheets/read-line.ts';
import { invalid } from '../../errors.ts';
import type { MappedColumns } from '../../store/spreadsheets/import-mappings.ts';

const ignored: ColumnMapping = { target: 'ignored' };

/** A header can be the name of a property that every object has. */
export const columnIn = (columns: MappedColumns, header: string): ColumnMapping =>
  (Object.hasOwn(columns, header) ? columns[header] : undefined) ?? ignored;

/** In the order of the headers. Columns that are not named are ignored. */
export function readMapping(columns: MappedColumns, headers: readonly string[]): ColumnMapping[] {
  const unknown = Object.keys(columns).filter((header) => !headers.includes(header));
  const faults = [
    ...unknown.map((header) => fault(header, 'is not a column of the file.')),
    ...faultsOfColumns(columns),
    ...Object.entries(columns).flatMap(([header, { template = '' }]) => faultsOfTemplate(header, template, headers)),
    ...(hasSubject(columns) ? [] : [noSubject]),
  ];
  if (faults.length > 0) throw invalid(...faults.slice(0, 20));
  return headers.map((header) => columnIn(columns, header));
}

/** The faults that do not depend on a file. */
export function rejectInvalidColumns(columns: MappedColumns): void {
  const faults = faultsOfColumns(columns);
  if (faults.length > 0) throw invalid(...faults.slice(0, 20));
}

const fault = (header: string, detail: string): Fault => {
  const pointer = `/columns/${escapePointer(header)}`;
  return { pointer, detail: `${pointer} ${detail}` };
};

const noSubject: Fault = { pointer: '/columns', detail: 'One column must contain the labels of subjects.' };
export const hasSubject = (columns: MappedColumns): boolean =>
  Object.values(columns).some(({ target }) => target === 'subject');

const includes = (targets: readonly string[], target: string) => targets.includes(target);

function faultsOfColumns(columns: MappedColumns): Fault[] {
  const entries = Object.entries(columns);
  return entries.flatMap(([header, { target, name, template }], index) => [
    ...(includes(namedTargets, target) && name === undefined ? [fault(header, 'needs a name.')] : []),
    ...(template !== undefined && target !== 'experiment'
      ? [fault(header, 'has a template, but is no experiment.')]
      : []),
    ...(entries.slice(0, index).some(([, other]) => isSame(other, columnIn(columns, header)))
      ? [fault(header, 'contains the same as another column.')]
      : []),
  ]);
}

const isSame = (one: ColumnMapping, other: ColumnMapping) =>
  one.target === other.target &&
  one.target !== 'ignored' &&
  (!includes(repeatableTargets, one.target) || one.name === other.name);

const faultsOfTemplate = (header: string, template: string, headers: readonly string[]): Fault[] =>
  placeholdersOf(template)
    .filter((named) => !headers.includes(named))
    .map((named) => fault(header, `names the column {${named}}, which the file does not have.`));
