/** The fields and the order of experiments that a query found. */
import type { QueryOf } from '../../api/operation-query.ts';

/** What every column may read. The page requests no other fields, besides the chosen variables. */
export const foundFields = [
  'id',
  'label',
  'scandate',
  'subject.id',
  'subject.label',
  'cohort.id',
  'cohort.label',
  'workflow.id',
  'workflow.label',
  'state.id',
  'state.label',
  'withdrawn',
  'entered_at',
  'changed_at',
  'incidents',
  'executions',
  'external_ids',
] as const;

export type Sort = NonNullable<QueryOf<'searchExperiments'>['sort']>;

/** Events do not change this order, unlike the order of the last change. */
export const sortByDefault: Sort = 'label';

export const variablePrefix = 'var.';
