import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { attentionCountQuery } from '../pages/attention/attention-count-query.ts';
import { paths } from '../paths.ts';
import { cappedCount } from '../shown/numbers.ts';

/** How many experiments need somebody, as text; undefined while it is not known. On Attention the page itself says it. */
export function useAttentionCount(): string | undefined {
  const enabled = useLocation().pathname !== paths.attention;
  // Who waits too long does so by the clock, which no event tells of.
  const { data } = useQuery({ ...attentionCountQuery, enabled, refetchInterval: 60_000 });
  return data && cappedCount(data.counts.experiments);
}
