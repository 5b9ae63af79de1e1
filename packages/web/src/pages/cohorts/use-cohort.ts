import { useQuery } from '@tanstack/react-query';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { usePages } from '../../table/use-pages.ts';
import { touchesMatrix } from './touches-matrix.ts';

type Cohort = BodyOf<'getCohort'>;
export type MatrixSubject = BodyOf<'getCohortMatrix'>['subjects'][number];
export type MatrixExperiment = MatrixSubject['experiments'][number];

/** Without the subjects, of which there may be 100,000: the matrix loads them page by page. */
const fields = '{id,label,description,external_urls}';
export type CohortHead = Pick<Cohort, 'id' | 'label' | 'description' | 'external_urls'>;

const touchesCohort =
  (id: number): Touches =>
  ({ object_kind, object_id }) =>
    object_kind === 'cohort' && object_id === id;

export const useCohort = (id: number) =>
  useQuery<CohortHead>(operationQuery('getCohort', { params: { id }, fields }, touchesCohort(id)));

export const useMatrix = (id: number) =>
  usePages({
    query: (after, limit) =>
      operationQuery(
        'getCohortMatrix',
        { params: { id }, query: { limit, ...(after === undefined ? {} : { after }) } },
        touchesMatrix(id, { after, limit }),
      ),
    rowsOf: ({ subjects }) => subjects,
    filter: String(id),
    size: 50,
  });
