/** The choices of spreadsheet imports, without schemas, for pages. */

/** The possible contents of a column. `subject_id` and `experiment_id` are IDs in an external system. */
export const columnTargets = [
  'ignored',
  'subject',
  'date_of_birth',
  'subject_id',
  'experiment',
  'scan_date',
  'state',
  'scans',
  'experiment_id',
  'variable',
] as const;
export type ColumnTarget = (typeof columnTargets)[number];

/** Targets that need a name: of an external system or a variable. */
export const namedTargets = ['subject_id', 'experiment_id', 'variable'] as const satisfies ColumnTarget[];

/** Targets that several columns can have. */
export const repeatableTargets = ['ignored', ...namedTargets] as const satisfies ColumnTarget[];

export interface ColumnMapping {
  target: ColumnTarget;
  /** The external system or the variable. */
  name?: string;
  /** For `experiment`: how the label is built from columns, such as `{subject}-{visit}`. Default: the value of the column. */
  template?: string;
}

export const importStatuses = ['uploading', 'checking', 'checked', 'running', 'paused', 'finished', 'stopped'] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** `ready`: it would be imported. `unchanged`: everything in it is already stored. */
export const lineResults = ['ready', 'unchanged', 'faulty', 'done'] as const;
export type LineResult = (typeof lineResults)[number];

export const encodings = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

export const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

export const maxImportLines = 200_000;
export const maxImportMiB = 64;
export const maxImportColumns = 100;
