import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { attentionCountQuery } from '../pages/attention/attention-count-query.ts';
import { paths } from '../paths.ts';
import { cappedCount } from '../shown/numbers.ts';

/** How many experiments need attention, as text. Undefined while unknown, and on the page that lists them, which shows it itself. */
export function useAttentionCount(): string | undefined {
  const enabled = useLocation().pathname !== paths.attention;
  // No event announces that a wait is overdue, so the count is polled.
  const { data } = useQuery({ ...attentionCountQuery, enabled, refetchInterval: 60_000 });
  return data && cappedCount(data.counts.experiments);
}
