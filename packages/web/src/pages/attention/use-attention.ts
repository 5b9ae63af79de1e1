import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { changesParentOrLabel } from '../../live/live-event.ts';
import { usePages } from '../../table/use-pages.ts';
import { filterQuery, type DecisionFilter } from '../experiments/decision/use-decision-filter.ts';
import type { AttentionKind } from './attention-kinds.ts';
import { inSection, keyOf, withoutRetries } from './attention-rows.ts';

/** Any change of an experiment or one of its executions can add it to the list or remove it. */
const touchesAttention: Touches = (event) => event.experiment_id !== null || changesParentOrLabel(event);

/** The counts without items, for the navigation. */
export const attentionCountQuery = operationQuery('listAttention', { query: { limit: 0 } }, touchesAttention);

export interface AttentionFilter extends DecisionFilter {
  kind?: AttentionKind | undefined;
  only?: 'new' | 'snoozed' | undefined;
  /** A group of failed runs. `none` for the items outside of groups. */
  causeGroup?: string | undefined;
}

/** The filters that the list and the groups share. */
const sharedQuery = (filter: AttentionFilter) => ({
  ...filterQuery(filter),
  ...(filter.only === undefined ? {} : { only: filter.only }),
});

export const listQuery = ({ kind, causeGroup, ...filter }: AttentionFilter) => ({
  ...(kind === undefined ? {} : { kind }),
  ...(causeGroup === undefined ? {} : { cause_group: causeGroup }),
  ...sharedQuery(filter),
});

const sourceOf = (filter: AttentionFilter) => ({
  query: (after: number | undefined, limit: number) =>
    operationQuery(
      'listAttention',
      { query: { limit, ...(after === undefined ? {} : { after }), ...listQuery(filter) } },
      touchesAttention,
    ),
  rowsOf: ({ items }: BodyOf<'listAttention'>) => items,
  keyOf,
});

/** The first rows of a section of the overview. */
export const useFirstRows = (filter: AttentionFilter) => useQuery(sourceOf(filter).query(undefined, inSection));

/** The causes of failed runs. */
export function useAttentionGroups(filter: AttentionFilter) {
  const { kind } = filter;
  const ofKind = kind === 'failed' || kind === 'timed_out' ? { kind } : {};
  return useQuery(
    operationQuery('getAttentionGroups', { query: { ...ofKind, ...sharedQuery(filter) } }, touchesAttention),
  );
}

/** The export lists every item, also those that the page shows as a group. */
export function useAttention(filter: AttentionFilter) {
  const { kind, causeGroup } = filter;
  const pages = usePages({
    ...sourceOf(filter),
    filter: JSON.stringify(filter),
    // A wait becomes overdue without an event.
    everyMilliseconds: 60_000,
  });
  const counts = pages.first.data?.counts;
  const states = pages.first.data?.states;
  const newSince = pages.first.data?.new_since ?? null;
  const isOfAll = filter.cohortId === undefined && filter.stateId === undefined && filter.assignee === undefined;
  const queryClient = useQueryClient();
  // The navigation shows the same counts, so it does not have to request them.
  useEffect(() => {
    if (counts && states && isOfAll)
      queryClient.setQueryData(attentionCountQuery.queryKey, { items: [], counts, states, new_since: newSince });
  }, [queryClient, counts, states, isOfAll, newSince]);
  const rows = withoutRetries(pages.rows, kind);
  return {
    ...pages,
    rows,
    // Only more retries follow the first one.
    hasMore: pages.hasMore && rows.length === pages.rows.length,
    counts,
    states,
    newSince,
    exported: listQuery(causeGroup === 'none' ? { ...filter, causeGroup: undefined } : filter),
  };
}
