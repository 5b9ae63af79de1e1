/** The schemas of spreadsheet imports. */
import { Type } from 'typebox';
import * as v from '../values.ts';
import { paceFields } from '../pace.ts';
import { columnTargets, delimiters, encodings, importStatuses, lineResults, maxImportColumns } from './choices.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const target = v.oneOf(columnTargets, {
  description:
    'What the column contains. `subject_id` and `experiment_id` are external IDs, and `scans` are protocols, separated by semicolons or commas.',
});
const name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'For `subject_id` and `experiment_id`: the external system. For `variable`: the name of the variable.',
});
const template = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'For `experiment`: the label, with columns in braces, such as `{subject}-{visit}`.',
});

export const ColumnInput = v.closed({ target, name: v.optional(name), template: v.optional(template) });
export const Mapping = {
  ...v.mapOf(ColumnInput, {
    description: 'What each column contains, by its header. Columns that are not named are ignored.',
  }),
  maxProperties: maxImportColumns,
};

export const ImportColumn = v.resource('ImportColumn', 'A column of a spreadsheet.', {
  header: Type.String({ description: 'The text in the first line.' }),
  first_values: Type.Array(Type.String(), { description: 'Its values in the first lines, without empty ones.' }),
  target,
  name: v.nullable(name),
  template: v.nullable(template),
  faults: count('Faults in this column.'),
});

export const Import = v.resource('Import', 'The upload of a spreadsheet, its check, and its import.', {
  id: v.Id,
  uri: v.Uri,
  cohort: v.Ref,
  file_name: Type.String(),
  encoding: v.oneOf(encodings),
  delimiter: v.oneOf(delimiters),
  status: v.oneOf(importStatuses, {
    description:
      '`uploading`: the file is being received. `checking`: the dry run. `checked`: it can be applied. `running` and `paused`: it is being applied. ' +
      '`finished` or `stopped`: it has ended.',
  }),
  stopped_because: {
    ...v.nullable(Type.String()),
    description: 'Why it stopped before its end. Null if it did not, or if a user stopped it.',
  },
  workflow: { ...v.nullable(v.Ref), description: 'The workflow of new experiments. Null if there is none.' },
  mapping_name: { ...v.nullable(Type.String()), description: 'The saved mapping that it used. Null if none.' },
  columns: Type.Array(ImportColumn, { maxItems: maxImportColumns }),
  author: v.UserName,
  lines: count('Lines with values, without the header.'),
  checked: count('Lines that were checked.'),
  ready: count('Lines that are not imported yet and have no faults.'),
  unchanged: count('Lines whose values are all stored.'),
  faulty: count('Lines with faults, which are not imported.'),
  done: count('Lines that were imported.'),
  new_subjects: count('Subjects that it creates or has created.'),
  new_experiments: count('Experiments that it creates or has created.'),
  faults: count('Faults in all lines.'),
  ...paceFields('lines it imports'),
  created_at: v.Time,
  checked_at: v.nullable(v.Time),
  started_at: v.nullable(v.Time),
  ended_at: v.nullable(v.Time),
});

export const ImportFault = v.resource('ImportFault', 'What is wrong in a line of a spreadsheet.', {
  number: { ...v.Id, description: 'Orders the faults.' },
  line: { ...v.Id, description: 'The line in the spreadsheet. The header is line 1.' },
  column: {
    ...v.nullable(Type.String()),
    description: 'The header of the column. Null if the whole line is concerned.',
  },
  value: Type.String({ description: 'The value, cut after 200 characters.' }),
  detail: Type.String({ description: 'What is wrong, and what to do.' }),
});

export const ImportLine = v.resource('ImportLine', 'A line of a spreadsheet.', {
  line: v.Id,
  values: Type.Array(Type.String(), { description: 'Its values, in the order of the columns.' }),
  result: {
    ...v.nullable(v.oneOf(lineResults)),
    description: '`ready`: it can be imported. Null if it was not checked yet.',
  },
  subject: { ...v.nullable(Type.String()), description: 'The label of the subject.' },
  experiment: { ...v.nullable(Type.String()), description: 'The label of the experiment. Null if it has none.' },
  state: {
    ...v.nullable(Type.String()),
    description: 'The state in which the experiment is or will be created. Null if it has no experiment.',
  },
  new_subject: Type.Boolean({ description: 'Whether it creates the subject.' }),
  new_experiment: Type.Boolean({ description: 'Whether it creates the experiment.' }),
});

export const SavedMapping = v.resource('SavedMapping', 'What the columns of a spreadsheet contain, under a name.', {
  id: v.Id,
  name: v.Label,
  columns: Mapping,
  changed_by: v.UserName,
  changed_at: v.Time,
});
