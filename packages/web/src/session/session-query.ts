/** The session of the user, shared by all tabs of the browser. */
import { ProblemError } from '@milepost/api';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { BodyOf } from '../api/operation-query.ts';
import { notifyOtherTabs, removeCachedData, sessionKey } from './other-tabs.ts';

export type Session = BodyOf<'getSession'>;

async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    return await client.getSession({ signal });
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

/** Null if no user is signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => readSession(signal),
  staleTime: Infinity,
});

/** A rejected request may have been sent before the current session began, so it does not show that the user is signed out. */
export function checkSession(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: sessionKey });
}

export function beginSession(queryClient: QueryClient, session: Session): void {
  removeCachedData(queryClient);
  // A check that was sent before would overwrite the session.
  void queryClient.cancelQueries({ queryKey: sessionKey });
  queryClient.setQueryData(sessionQuery.queryKey, session);
  notifyOtherTabs('began');
}

export async function endSession(queryClient: QueryClient): Promise<void> {
  await client.signOut();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  removeCachedData(queryClient);
  notifyOtherTabs('ended');
}
