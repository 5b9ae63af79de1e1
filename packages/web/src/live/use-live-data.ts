/** Keeps the data of all pages up to date, and returns the status of the connection. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { checkSession } from '../session/session-query.ts';
import { shareEvents, type LiveStatus } from './shared-events.ts';
import { TouchedQueries } from './touched-queries.ts';

export function useLiveData(): LiveStatus {
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<LiveStatus>('connecting');
  useEffect(() => {
    const queries = new TouchedQueries(queryClient);
    const stop = shareEvents({
      onEvent: (event) => queries.touch(event),
      onReset: () => queries.touchAll(),
      onStatus: setStatus,
      onSignedOut: () => checkSession(queryClient),
    });
    return () => {
      stop();
      queries.stop();
    };
  }, [queryClient]);
  return status;
}
