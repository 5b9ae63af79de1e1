import type { QueryOf } from '../../api/operation-query.ts';

export type Kind = NonNullable<QueryOf<'listAudit'>['object_kind']>;

export const kinds: Record<Kind, string> = {
  experiment: 'Experiment',
  action: 'Action',
  callback_execution: 'Run',
  note: 'Note',
  scan: 'Scan',
  subject: 'Subject',
  cohort: 'Cohort',
  workflow: 'Workflow',
  callback: 'Callback',
  user: 'User',
  role: 'Role',
  external_system: 'External system',
  scantype: 'Scan type',
};
