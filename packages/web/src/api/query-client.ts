import { ProblemError } from '@milepost/api';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { checkSession } from '../session/session-query.ts';

const isClientError = (error: unknown) => error instanceof ProblemError && error.status < 500;

/** The user is not signed in, or the session expired or was ended in another browser. */
const isSignedOut = (error: unknown) =>
  error instanceof ProblemError && ['not_signed_in', 'session_ended'].includes(error.problem?.code ?? '');

/** Retries server and network errors twice. */
const retry = (failures: number, error: unknown) => failures < 2 && !isClientError(error);

export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) checkSession(queryClient);
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Events mark data as stale, so opening a page again needs no refetch.
    defaultOptions: { queries: { staleTime: Infinity, gcTime: 10 * 60_000, refetchOnWindowFocus: false, retry } },
  });
  return queryClient;
}
