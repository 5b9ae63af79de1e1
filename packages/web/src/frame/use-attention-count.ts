import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../api/operation-query.ts';
import { touchesAttention } from '../pages/attention/touches-attention.ts';
import { count } from '../shown/numbers.ts';

/** How many experiments need somebody, as text; undefined while it is not known. */
export function useAttentionCount(): string | undefined {
  const { data } = useQuery(operationQuery('listAttention', { query: { limit: 0 } }, touchesAttention));
  return data && (data.counts.experiments >= 10_000 ? '9,999+' : count(data.counts.experiments));
}
