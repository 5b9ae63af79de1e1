/** The experiments that match a query, page by page, and their number in each state. */
import { queries } from '@milepost/api';
import { useQuery } from '@tanstack/react-query';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { changesParentOrLabel } from '../../live/live-event.ts';
import { queryOf } from '../../query/query-path.ts';
import { useLinkedPages } from '../../table/use-linked-pages.ts';
import { foundFields, variablePrefix } from './found-columns.tsx';
import type { Search } from './use-search.ts';

type Found = BodyOf<'searchExperiments'>;

const columnsFor = (columns: readonly string[]): string => {
  const variables = columns.filter((id) => id.startsWith(variablePrefix) && !id.includes(','));
  return [...foundFields, ...variables.map((id) => `variables.${id.slice(variablePrefix.length)}`)].join(',');
};

/** Any event can add an experiment to the first page. Other pages change with the experiments that they show. */
const touchesPage =
  (isFirst: boolean): Touches =>
  (event, shown) => {
    if (event.experiment_id === null) return changesParentOrLabel(event) && 'later';
    const isShown = (shown as Found | undefined)?.experiments.some(({ id }) => id === event.experiment_id) !== false;
    return isFirst || isShown ? 'later' : false;
  };

export function useFound({ q, sort, columns }: Search) {
  return useLinkedPages({
    query: (after: string | undefined) =>
      operationQuery(
        'searchExperiments',
        {
          query: {
            q,
            sort,
            limit: 50,
            columns: columnsFor(columns),
            ...(after === undefined ? {} : { after }),
          },
        },
        touchesPage(after === undefined),
      ),
    rowsOf: ({ experiments }) => experiments,
    nextOf: ({ next }) => next ?? undefined,
    filter: JSON.stringify([q, sort, columnsFor(columns)]),
  });
}

const isState = (term: queries.Term) => term.kind === 'filter' && term.name === 'state' && !term.negated;

/** The query without the states that it asks for. Undefined if it asks for none. */
export function withoutStates(q: string): string | undefined {
  const { terms, errors } = queries.readQuery(q);
  const others = terms.filter((term) => !isState(term));
  return errors.length > 0 || others.length === terms.length ? undefined : queries.printQuery(others);
}

/** The query with this state instead of the states that it asks for, and in this workflow if there is one. */
export const withState = (q: string, state: string, workflow?: string): string => {
  const others = withoutStates(q) ?? q;
  return [others, queryOf({ ...(workflow === undefined ? {} : { workflow }), state })].join(' ').trim();
};

/** The numbers in the states that the query does not ask for. */
export function useOtherStates(q: string): Pick<Found, 'states' | 'more'> {
  const others = withoutStates(q);
  const { data } = useQuery({
    ...operationQuery(
      'searchExperiments',
      { query: { q: others ?? '', limit: 1 }, fields: 'states,more' },
      ({ experiment_id: id }) => id !== null && 'later',
    ),
    enabled: others !== undefined,
  });
  return others === undefined || !data ? { states: [], more: false } : data;
}
