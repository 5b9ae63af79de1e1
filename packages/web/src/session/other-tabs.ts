/** The other tabs of this browser have the same session, and hear when it begins or ends in one. */
import type { QueryClient } from '@tanstack/react-query';

export const sessionKey = ['getSession'] as const;

const channel = new BroadcastChannel('milepost-session');

export const tellOtherTabs = (happened: 'began' | 'ended'): void => channel.postMessage(happened);

/** Another person may see less: nothing that was read for the one before stays. */
export const forgetAnswers = (queryClient: QueryClient): void =>
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });

/** Until it is known who is here now, nobody is shown anything. Returns how to stop. */
export function followOtherTabs(queryClient: QueryClient): () => void {
  const changed = () => {
    forgetAnswers(queryClient);
    void queryClient.resetQueries({ queryKey: sessionKey });
  };
  channel.addEventListener('message', changed);
  return () => channel.removeEventListener('message', changed);
}
