/** The experiments that match a query, page by page, and their number in each state. */
import { queries } from '@milepost/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { queryOf } from '../../query/query-path.ts';
import { useLinkedPages } from '../../table/use-linked-pages.ts';
import type { Sort } from './found-fields.ts';
import { isOrderRefused } from './found-orders.ts';
import { columnsFor, fieldsWithoutCounts, touchesPage, type FoundOptions } from './found-request.ts';
import type { Search } from './use-search.ts';

type Found = BodyOf<'searchExperiments'>;

export function useFound({ q, sort, columns }: Search, { withoutCounts = false, concerns }: FoundOptions = {}) {
  const requested = withoutCounts ? undefined : columnsFor(columns);
  return useLinkedPages({
    query: (after: string | undefined) =>
      operationQuery(
        'searchExperiments',
        {
          query: {
            q,
            sort,
            limit: 50,
            ...(requested === undefined ? {} : { columns: requested }),
            ...(after === undefined ? {} : { after }),
          },
          ...(withoutCounts ? { fields: fieldsWithoutCounts } : {}),
        },
        touchesPage(after === undefined, concerns),
      ),
    rowsOf: ({ experiments }) => experiments,
    nextOf: ({ next }) => next ?? undefined,
    filter: JSON.stringify([q, sort, requested]),
  });
}

/** In the first of these orders that the server does not refuse. */
export function useFoundInOrder(search: Search, orders: readonly Sort[], options?: FoundOptions) {
  const key = JSON.stringify([search.q, orders]);
  const [refused, setRefused] = useState<{ key: string; errors: readonly unknown[] }>({ key, errors: [] });
  const errors = refused.key === key ? refused.errors : [];
  const sort = orders[errors.length] ?? search.sort;
  const found = useFound({ ...search, sort }, options);
  const { data, error } = found.first;
  const hasOther = errors.length < orders.length - 1;
  if (data === undefined && hasOther && isOrderRefused(error)) setRefused({ key, errors: [...errors, error] });
  return { ...found, sort, /** Why it is not in the first order. */ refusal: errors[0] };
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
