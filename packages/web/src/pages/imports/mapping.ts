/** The contents of the columns of a spreadsheet, as requests and as choices of a menu. */
import { repeatableTargets, type ColumnTarget } from '@milepost/api';
import type { BodyOf } from '../../api/operation-query.ts';
import { targetName, type ImportColumn } from './import-words.ts';

export type Mapping = BodyOf<'saveImportMapping'>['columns'];
type Mapped = Pick<ImportColumn, 'header' | 'target' | 'name' | 'template'>;

const requestOf = ({ target, name, template }: Mapped): Mapping[string] => ({
  target,
  ...(name === null ? {} : { name }),
  ...(template === null ? {} : { template }),
});

/** Without the ignored columns, as the API expects it. */
export const mappingOf = (columns: readonly Mapped[]): Mapping =>
  Object.fromEntries(
    columns.filter(({ target }) => target !== 'ignored').map((column) => [column.header, requestOf(column)]),
  );

const isRepeatable = (target: ColumnTarget) => repeatableTargets.some((one) => one === target);

/** Two columns cannot contain the same. */
const contradicts = (a: Mapped, b: Mapped): boolean =>
  a.target === b.target && a.target !== 'ignored' && (!isRepeatable(a.target) || a.name === b.name);

/** Changes a column. Another column with the same target is ignored from now on. */
export const withColumn = <C extends Mapped>(columns: readonly C[], header: string, change: Omit<Mapped, 'header'>) =>
  columns.map((column): C => {
    if (column.header === header) return { ...column, ...change };
    return contradicts(column, { header, ...change })
      ? { ...column, target: 'ignored', name: null, template: null }
      : column;
  });

/** The columns with a saved mapping. It can have columns that the file does not have. */
export const withMapping = <C extends Mapped>(columns: readonly C[], mapping: Mapping): C[] =>
  columns.map((column): C => {
    const saved = Object.hasOwn(mapping, column.header) ? mapping[column.header] : undefined;
    return {
      ...column,
      target: saved?.target ?? 'ignored',
      name: saved?.name ?? null,
      template: saved?.template ?? null,
    };
  });

const textOf = (mapping: Mapping): string =>
  JSON.stringify(
    Object.entries(mapping)
      .filter(([, { target }]) => target !== 'ignored')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([header, { target, name, template }]) => [header, target, name ?? null, template ?? null]),
  );

/** Whether two mappings say the same, in any order. */
export const isSameMapping = (a: Mapping, b: Mapping): boolean => textOf(a) === textOf(b);

export interface TargetChoice {
  target: ColumnTarget;
  name: string | null;
  label: string;
}

export interface ChoiceGroup {
  title: string;
  choices: TargetChoice[];
}

const choice = (target: ColumnTarget, name: string | null = null): TargetChoice => ({
  target,
  name,
  label: targetName(target, name),
});

/** `scanner` for the column `var.scanner`. */
const variableName = (header: string): string => header.replace(/^var(?:iable)?\.(?=.)/i, '').slice(0, 255);

/** All targets of a column, with an external ID for each system. */
export function choicesOf(column: Mapped, systems: readonly string[]): ChoiceGroup[] {
  const isUnknown = column.target !== 'variable' && column.name !== null && !systems.includes(column.name);
  const all = isUnknown && column.name !== null ? [...systems, column.name] : systems;
  const variable = column.target === 'variable' ? column.name : variableName(column.header);
  return [
    {
      title: 'Subject',
      choices: [choice('subject'), choice('date_of_birth'), ...all.map((name) => choice('subject_id', name))],
    },
    {
      title: 'Experiment',
      choices: [
        choice('experiment'),
        choice('scan_date'),
        choice('state'),
        choice('scans'),
        ...all.map((name) => choice('experiment_id', name)),
        choice('variable', variable),
      ],
    },
    { title: 'Other', choices: [choice('ignored')] },
  ];
}
