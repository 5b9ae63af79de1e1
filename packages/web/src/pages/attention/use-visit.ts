import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../../api/client.ts';

const everyMilliseconds = 5 * 60_000;

/**
 * Tells the server that the user looks at the list, so that it knows what is new at the next visit. Quiet while the tab is hidden. If it
 * fails, only the mark of new items is missing.
 */
export function useVisit(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let known: string | null | undefined;
    const visit = async () => {
      if (document.visibilityState === 'hidden') return;
      const { new_since: since } = await client.visitAttention({});
      const [hadList] = queryClient.getQueriesData<{ new_since: string | null }>({ queryKey: ['listAttention'] });
      if (since !== known && hadList?.[1]?.new_since !== since)
        await queryClient.invalidateQueries({
          predicate: ({ queryKey: [name] }) => name === 'listAttention' || name === 'getAttentionGroups',
        });
      known = since;
    };
    const send = () => void visit().catch(() => undefined);
    send();
    const timer = setInterval(send, everyMilliseconds);
    return () => clearInterval(timer);
  }, [queryClient]);
}
