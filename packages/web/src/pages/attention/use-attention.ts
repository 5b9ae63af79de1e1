import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { changesParentOrLabel } from '../../live/live-event.ts';
import { usePages } from '../../table/use-pages.ts';
import type { AttentionKind } from './attention-kinds.ts';

export type AttentionCounts = BodyOf<'listAttention'>['counts'];
export type RestingState = BodyOf<'listAttention'>['states'][number];

/** Any change of an experiment or one of its executions can add it to the list or remove it. */
const touchesAttention: Touches = (event) => event.experiment_id !== null || changesParentOrLabel(event);

/** The counts without items, for the navigation. */
export const attentionCountQuery = operationQuery('listAttention', { query: { limit: 0 } }, touchesAttention);

export function useAttention(kind: AttentionKind | undefined) {
  const pages = usePages({
    query: (after, limit) =>
      operationQuery(
        'listAttention',
        { query: { limit, ...(after === undefined ? {} : { after }), ...(kind === undefined ? {} : { kind }) } },
        touchesAttention,
      ),
    rowsOf: ({ items }) => items,
    filter: kind ?? '',
    // A wait becomes overdue without an event.
    everyMilliseconds: 60_000,
  });
  const counts = pages.first.data?.counts;
  const states = pages.first.data?.states;
  const queryClient = useQueryClient();
  // The navigation shows the same counts, so it does not have to request them.
  useEffect(() => {
    if (counts && states) queryClient.setQueryData(attentionCountQuery.queryKey, { items: [], counts, states });
  }, [queryClient, counts, states]);
  return { ...pages, counts, states };
}
