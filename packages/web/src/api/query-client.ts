import { ProblemError } from '@milepost/api';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { forgetSession } from '../session/session-query.ts';

const refused = (error: unknown) => error instanceof ProblemError && error.status < 500;

/** Never signed in, or no longer: the time is over, or somebody has ended the session from another browser. */
const isSignedOut = (error: unknown) =>
  error instanceof ProblemError && ['not_signed_in', 'session_ended'].includes(error.problem?.code ?? '');

/** Two more tries for what may pass; a refusal stays a refusal. */
const retry = (failures: number, error: unknown) => failures < 2 && !refused(error);

export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) forgetSession(queryClient);
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Events say when something is stale, so that nothing is asked for again just because a page is opened again.
    defaultOptions: { queries: { staleTime: Infinity, gcTime: 10 * 60_000, refetchOnWindowFocus: false, retry } },
  });
  return queryClient;
}
