/** Imports of spreadsheets, beyond the specification (docs/decisions/0047). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs } from '../permission.ts';
import * as v from '../values.ts';
import { encodings, lineResults, maxImportLines, maxImportMiB, type ImportStatus } from './choices.ts';
import { Import, ImportFault, ImportLine, Mapping, SavedMapping } from './import.ts';

const importExample = {
  id: 12,
  uri: '/api/v2/imports/12',
  cohort: { id: 7, label: 'memory-clinic-2026', uri: '/api/v2/cohorts/7' },
  file_name: 'memory-clinic_2026-11.csv',
  encoding: 'utf-8',
  delimiter: ';',
  status: 'checked',
  stopped_because: null,
  workflow: { id: 3, label: 'brain-mri', uri: '/api/v2/workflows/3' },
  mapping_name: null,
  columns: [
    { header: 'subject', first_values: ['MC-0431'], target: 'subject', name: null, template: null, faults: 0 },
    {
      header: 'visit',
      first_values: ['baseline'],
      target: 'experiment',
      name: null,
      template: '{subject}-{visit}',
      faults: 0,
    },
    { header: 'scan_date', first_values: ['02.11.2026'], target: 'scan_date', name: null, template: null, faults: 1 },
  ],
  author: { id: 5, name: 'Amina Haddad' },
  lines: 214,
  checked: 214,
  ready: 197,
  unchanged: 16,
  faulty: 1,
  done: 0,
  new_subjects: 41,
  new_experiments: 187,
  faults: 1,
  waiting_for: null,
  per_second: null,
  seconds_left: null,
  created_at: '2026-02-16T10:51:12.400Z',
  checked_at: '2026-02-16T10:51:13.100Z',
  started_at: null,
  ended_at: null,
};

const mappingExample = {
  id: 4,
  name: 'Memory clinic monthly',
  columns: { subject: { target: 'subject' }, visit: { target: 'experiment', template: '{subject}-{visit}' } },
  changed_by: { id: 5, name: 'Amina Haddad' },
  changed_at: '2026-02-16T10:51:12.400Z',
};

const noImport = 'No import has this id, or it is not yours, or you cannot read its cohort.';
const noCohort = 'No cohort has this id.';
const access = needs('sample_add');
const repeatable = '`Idempotency-Key` is ignored, because a repeated request changes nothing.';
const ByCohortAndName = v.closed({ id: v.Id, name: { ...v.Label, description: 'The name of the mapping.' } });

const changeStatus = (
  verb: 'apply' | 'pause' | 'resume' | 'stop',
  text: { summary: string; description: string; status: ImportStatus; conflict: string },
) => ({
  method: 'POST' as const,
  path: `/imports/{id}/${verb}` as const,
  summary: text.summary,
  description: `${text.description} ${repeatable}`,
  access,
  idempotencyKey: 'ignored' as const,
  params: v.ById,
  response: Import,
  statuses: { 200: 'The import.', 404: noImport, 409: text.conflict },
  example: { response: { ...importExample, status: text.status, started_at: '2026-02-16T10:52:20.000Z' } },
});

export const importOperations = defineOperations({
  createImport: {
    method: 'POST',
    path: '/imports',
    summary: 'Upload a spreadsheet',
    description:
      `The body is the file: CSV with a header, separated by commas, semicolons or tabs, of up to ${maxImportMiB} MiB and ${maxImportLines} lines. ` +
      'The mapping of its columns is guessed from the header, or is the saved mapping of the cohort with the same columns. ' +
      'Workers check each line. Nothing is created until `/imports/{id}/apply`. `Idempotency-Key` is ignored: an upload alone changes nothing.',
    access,
    idempotencyKey: 'ignored',
    upload: 'text/csv',
    bodyMiB: maxImportMiB,
    query: v.closed({
      cohort_id: { ...v.Id, description: 'The cohort of the subjects. An import has one.' },
      file_name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, 'x-label': true, description: 'Shown in lists.' }),
      ),
      encoding: Type.Optional(v.oneOf(encodings, { description: 'The encoding of the file. Default: `utf-8`.' })),
      workflow_id: Type.Optional({ ...v.Id, description: 'The workflow of new experiments. Default: the newest one.' }),
    }),
    response: Import,
    statuses: {
      201: 'The file was received. Workers check its lines.',
      400: 'The request is invalid, or the file is not CSV in the given encoding, has too many lines, or has no header.',
      404: 'No cohort has the id of `cohort_id`, or no workflow has the id of `workflow_id`.',
      409: 'You have too many imports that have not ended.',
      413: `The file has more than ${maxImportMiB} MiB.`,
    },
    example: {
      response: { ...importExample, status: 'checking', checked: 0, ready: 0, unchanged: 0, checked_at: null },
    },
  },
  listImports: {
    method: 'GET',
    path: '/imports',
    summary: 'List your imports',
    description:
      'Newest first. Nobody sees the imports of others, because a spreadsheet can contain more than what is imported.',
    access,
    newestFirst: true,
    query: v.closed({
      before: Type.Optional({
        ...v.Id,
        description: 'Only those with a smaller id. The `Link` header has the next page.',
      }),
      limit: v.screenLimit(50),
    }),
    response: v.listOf('imports', Import),
    statuses: { 200: 'The imports.' },
    example: { response: { imports: [importExample] } },
  },
  getImport: {
    method: 'GET',
    path: '/imports/{id}',
    summary: 'Read an import',
    description: 'Shows its progress, its columns and its numbers of faults.',
    access,
    params: v.ById,
    response: Import,
    statuses: { 200: 'The import.', 404: noImport },
    example: { response: importExample },
  },
  updateImport: {
    method: 'PUT',
    path: '/imports/{id}',
    summary: 'Change the mapping of an import',
    description: `Changes what the columns contain, and checks all lines again. Absent fields keep their values. ${repeatable}`,
    access,
    idempotencyKey: 'ignored',
    params: v.ById,
    body: v.closed({
      columns: v.optional(Mapping),
      workflow_id: v.optional({ ...v.Id, description: 'The workflow of new experiments.' }),
    }),
    response: Import,
    statuses: {
      200: 'The import. Workers check its lines again.',
      400: 'The request is invalid, a column does not exist, or two columns contain the same.',
      404: noImport,
      409: 'It is being applied, or has ended.',
    },
    example: {
      body: { columns: { subject: { target: 'subject' }, scan_date: { target: 'scan_date' } } },
      response: importExample,
    },
  },
  listImportFaults: {
    method: 'GET',
    path: '/imports/{id}/faults',
    summary: 'List the faults of an import',
    description: 'By line and column. With `Accept: text/csv`, as a file.',
    access,
    params: v.ById,
    query: v.closed({
      column: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'Only faults in this column.' })),
      ...v.screenPage(100),
    }),
    response: v.listOf('faults', ImportFault),
    statuses: { 200: 'The faults.', 404: noImport },
    example: {
      response: {
        faults: [
          {
            number: 1,
            line: 17,
            column: 'scan_date',
            value: '31.02.2026',
            detail: 'Not a date. Use YYYY-MM-DD or DD.MM.YYYY with a real day.',
          },
        ],
      },
    },
  },
  listImportLines: {
    method: 'GET',
    path: '/imports/{id}/lines',
    summary: 'List the lines of an import',
    description:
      'Each line with its result and what it creates. A page ends after about 4 MB, so it can have fewer lines than `limit`. ' +
      'Follow the header Link to the next page. Do not page with `offset`, because it skips the lines that a shorter page left out.',
    access,
    params: v.ById,
    query: v.closed({
      result: Type.Optional(v.oneOf(lineResults, { description: 'Only lines with this result.' })),
      ...v.screenPage(100),
    }),
    response: v.listOf('lines', ImportLine),
    statuses: { 200: 'The lines.', 404: noImport },
    example: {
      response: {
        lines: [
          {
            line: 2,
            values: ['MC-0431', 'baseline', '02.11.2026'],
            result: 'ready',
            subject: 'MC-0431',
            experiment: 'MC-0431-baseline',
            state: 'arrived',
            new_subject: true,
            new_experiment: true,
          },
        ],
      },
    },
  },
  applyImport: changeStatus('apply', {
    summary: 'Apply a checked import',
    description:
      'Imports the lines without faults. What is already stored stays as it is, so the same file again changes nothing. ' +
      'It stops if you lose the permission.',
    status: 'running',
    conflict: 'It is still being checked, or it has already been applied or stopped.',
  }),
  pauseImport: changeStatus('pause', {
    summary: 'Pause an import',
    description: 'Imported lines stay.',
    status: 'paused',
    conflict: 'It is not running.',
  }),
  resumeImport: changeStatus('resume', {
    summary: 'Resume a paused import',
    description: 'Continues with the lines that were not imported yet.',
    status: 'running',
    conflict: 'It is not paused.',
  }),
  stopImport: changeStatus('stop', {
    summary: 'Stop an import',
    description: 'Imported lines stay. It cannot be resumed. Upload the same file again to import the rest.',
    status: 'stopped',
    conflict: 'It has already finished.',
  }),
  listImportMappings: {
    method: 'GET',
    path: '/cohorts/{id}/import_mappings',
    summary: 'List the saved mappings of a cohort',
    description: 'A cohort has up to 100.',
    access,
    params: v.ById,
    query: v.closed(v.screenPage(100)),
    response: v.listOf('mappings', SavedMapping),
    statuses: { 200: 'The mappings.', 404: noCohort },
    example: {
      response: {
        mappings: [mappingExample],
      },
    },
  },
  saveImportMapping: {
    method: 'PUT',
    path: '/cohorts/{id}/import_mappings/{name}',
    summary: 'Save a mapping under a name',
    description:
      'Creates or replaces it. Later uploads into the cohort use it if they have all its columns. All users who can import into the cohort see it.',
    access,
    idempotencyKey: 'ignored',
    params: ByCohortAndName,
    body: v.closed({ columns: Mapping }),
    response: SavedMapping,
    statuses: { 200: 'The mapping.', 404: noCohort, 409: 'The cohort has 100 mappings.' },
    example: {
      body: { columns: mappingExample.columns },
      response: mappingExample,
    },
  },
  deleteImportMapping: {
    method: 'DELETE',
    path: '/cohorts/{id}/import_mappings/{name}',
    summary: 'Remove a saved mapping',
    description: 'Imports that used it keep their columns.',
    access,
    idempotencyKey: 'ignored',
    params: ByCohortAndName,
    response: SavedMapping,
    statuses: { 200: 'The removed mapping.', 404: 'The cohort has no mapping with this name.' },
    example: { response: mappingExample },
  },
});
