import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { operationQuery, type BodyOf, type QueryOf, type Touches } from '../../api/operation-query.ts';
import { useLinkedPages } from '../../table/use-linked-pages.ts';
import { touchesMatrix } from './touches-matrix.ts';

type Cohort = BodyOf<'getCohort'>;
export type CohortSummary = BodyOf<'getCohortSummary'>;
export type MatrixSubject = BodyOf<'getCohortMatrix'>['subjects'][number];
export type MatrixExperiment = MatrixSubject['experiments'][number];
export type MatrixFilter = Pick<QueryOf<'getCohortMatrix'>, 'label' | 'state_id' | 'gaps' | 'attention'>;

/** Without the subjects, of which there may be 100,000: the matrix loads them page by page. */
const fields = '{id,label,description,external_urls}';
export type CohortHead = Pick<Cohort, 'id' | 'label' | 'description' | 'external_urls'>;

const touchesCohort =
  (id: number): Touches =>
  ({ object_kind, object_id }) =>
    object_kind === 'cohort' && object_id === id;

export const useCohort = (id: number) =>
  useQuery<CohortHead>(operationQuery('getCohort', { params: { id }, fields }, touchesCohort(id)));

/** Each change in the cohort can change a number. An import can rename states. */
const touchesSummary =
  (id: number): Touches =>
  ({ object_kind, cohort_id }) =>
    object_kind === 'workflow' || (cohort_id === id && 'later');

export const useSummary = (id: number) =>
  useQuery(operationQuery('getCohortSummary', { params: { id } }, touchesSummary(id)));

/** Most cohorts fit on one page, which the browser sorts. An event refetches a whole page, so it has a limit. */
const pageSize = 200;
/** The rows of a screen. With filters, a page can be short, so the next one is loaded at once. */
const screenful = 40;

export function useMatrix(id: number, filter: MatrixFilter) {
  const isFiltered = Object.keys(filter).length > 0;
  const pages = useLinkedPages({
    query: (after: number | undefined) =>
      operationQuery(
        'getCohortMatrix',
        { params: { id }, query: { ...filter, limit: pageSize, ...(after === undefined ? {} : { after }) } },
        touchesMatrix(id, isFiltered),
      ),
    rowsOf: ({ subjects }) => subjects,
    nextOf: ({ next }) => next ?? undefined,
    filter: JSON.stringify([id, filter]),
  });
  const { rows, hasMore, isLoadingMore, problem, loadMore } = pages;
  useEffect(() => {
    if (rows.length < screenful && hasMore && !isLoadingMore && !problem) loadMore();
  });
  return pages;
}
