/** All tabs of a browser share one session, and notify each other when it begins or ends. */
import type { QueryClient } from '@tanstack/react-query';

export const sessionKey = ['getSession'] as const;

const channel = new BroadcastChannel('milepost-session');

export const notifyOtherTabs = (happened: 'began' | 'ended'): void => channel.postMessage(happened);

/** The next user may have fewer permissions, so no data of the previous one stays in the cache. */
export const removeCachedData = (queryClient: QueryClient): void =>
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });

/** Shows nothing until the new session is known. Returns a function that stops following. */
export function followOtherTabs(queryClient: QueryClient): () => void {
  const changed = () => {
    removeCachedData(queryClient);
    void queryClient.resetQueries({ queryKey: sessionKey });
  };
  channel.addEventListener('message', changed);
  return () => channel.removeEventListener('message', changed);
}
