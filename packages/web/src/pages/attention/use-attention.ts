import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { usePages } from '../../table/use-pages.ts';
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
  });
  return { ...pages, counts: pages.first.data?.counts };
}
