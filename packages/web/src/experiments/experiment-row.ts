import type { BodyOf, QueryOf } from '../api/operation-query.ts';

export type ExperimentRow = BodyOf<'listExperimentRows'>['experiments'][number];
export type RowFilters = Omit<QueryOf<'listExperimentRows'>, 'after' | 'limit' | 'offset'>;
