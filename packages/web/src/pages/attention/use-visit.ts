import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../../api/client.ts';

const everyMilliseconds = 5 * 60_000;

const isList = ({ queryKey: [name] }: Query) => name === 'listAttention' || name === 'getAttentionGroups';

/** A list that is still loading may have been read before the visit, so it is read again. */
async function showSince(queryClient: QueryClient, since: string | null): Promise<void> {
  const lists = queryClient.getQueriesData<{ new_since: string | null }>({ queryKey: ['listAttention'] });
  if (lists.every(([, list]) => list?.new_since === since)) return;
  await queryClient.cancelQueries({ predicate: isList });
  await queryClient.invalidateQueries({ predicate: isList });
}

/**
 * Tells the server that the user looks at the list, so that it knows what is new at the next visit. Quiet while the tab is hidden. If it
 * fails, only the mark of new items is missing.
 */
export function useVisit(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const visit = async () => {
      if (document.visibilityState === 'hidden') return;
      const { new_since: since } = await client.visitAttention({});
      await showSince(queryClient, since);
    };
    const send = () => void visit().catch(() => undefined);
    send();
    const timer = setInterval(send, everyMilliseconds);
    document.addEventListener('visibilitychange', send);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', send);
    };
  }, [queryClient]);
}
