import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { usePages } from '../../table/use-pages.ts';
import { attentionCountQuery } from './attention-count-query.ts';
import type { AttentionKind } from './attention-kinds.ts';
import { touchesAttention } from './touches-attention.ts';

export type AttentionCounts = BodyOf<'listAttention'>['counts'];

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
  const queryClient = useQueryClient();
  // The navigation shows the same counts, so it does not have to request them.
  useEffect(() => {
    if (counts) queryClient.setQueryData(attentionCountQuery.queryKey, { items: [], counts });
  }, [queryClient, counts]);
  return { ...pages, counts };
}
