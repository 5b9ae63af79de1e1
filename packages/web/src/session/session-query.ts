/** Who is signed in: asked once, known to all tabs of the browser when it changes in one. */
import { ProblemError } from '@milepost/api';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { BodyOf } from '../api/operation-query.ts';
import { client } from '../api/client.ts';

export type Session = BodyOf<'getSession'>;

const channel = new BroadcastChannel('milepost-session');

async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    return await client.getSession({ signal });
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

/** Null: nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['getSession'] as const,
  queryFn: ({ signal }) => readSession(signal),
  staleTime: Infinity,
});

export function forgetSession(queryClient: QueryClient): void {
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** Another person may see less: nothing that was read for the one before stays. */
export function beginSession(queryClient: QueryClient, session: Session): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  queryClient.setQueryData(sessionQuery.queryKey, session);
  channel.postMessage('began');
}

export async function endSession(queryClient: QueryClient): Promise<void> {
  await client.signOut();
  forgetSession(queryClient);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  channel.postMessage('ended');
}

/** Returns how to stop. */
export function watchSession(queryClient: QueryClient): () => void {
  const asked = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  channel.addEventListener('message', asked);
  return () => channel.removeEventListener('message', asked);
}
