/**
 * The dry run of a change to the chosen experiments. It starts when the change is complete, and again when the change, the choice or the
 * user asks for it. A dry run that is not applied is stopped when another one takes its place and when the user leaves.
 */
import { createClient } from '@milepost/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { attendedFetch, basePath, client } from '../api/client.ts';
import type { CallOf } from '../api/operation-query.ts';
import { bulkOperationQuery, useBulkOperation } from './bulk-queries.ts';

export type BulkRequest = NonNullable<CallOf<'createBulkOperation'>>['body'];

/** The change of each experiment. */
export type Change = Pick<BulkRequest, 'state' | 'run_callbacks' | 'variables' | 'user_id' | 'text'>;

/** Users type texts and select rows one by one. */
const pauseMilliseconds = 300;

interface Run {
  key: string;
  id?: number;
  error?: unknown;
}

/** Its requests are sent even if the user closes the tab. */
const leavingClient = createClient({
  baseUrl: basePath,
  fetch: (input, init) => attendedFetch(input, { ...init, keepalive: true }),
});

/** If the server refuses to stop it, it has ended. */
const stop = (id: number) => leavingClient.stopBulkOperation({ params: { id } }).catch(() => undefined);

export function useDryRun(request: BulkRequest | undefined) {
  const queryClient = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const [run, setRun] = useState<Run>();
  const applied = useRef<number>(undefined);
  const body = request && JSON.stringify(request);
  const key = `${attempt} ${body}`;
  useEffect(() => {
    if (body === undefined) return undefined;
    let isLeft = false;
    let id: number | undefined;
    const start = async () => {
      const operation = await client.createBulkOperation({
        body: { ...(JSON.parse(body) as BulkRequest), dry_run: true },
      });
      id = operation.id;
      if (isLeft) return void stop(id);
      queryClient.setQueryData(bulkOperationQuery(id).queryKey, operation);
      return setRun({ key, id });
    };
    const leave = () => {
      isLeft = true;
      if (id !== undefined && id !== applied.current) void stop(id);
    };
    const timer = setTimeout(() => void start().catch((error: unknown) => setRun({ key, error })), pauseMilliseconds);
    addEventListener('pagehide', leave);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [queryClient, body, key]);
  const current = run?.key === key ? run : undefined;
  const operation = useBulkOperation(current?.id);
  return {
    operation: current?.id === undefined ? undefined : operation.data,
    error: current?.error ?? operation.error ?? undefined,
    again: () => setAttempt(attempt + 1),
    /** Keeps it when the user leaves. */
    keep: (id: number) => (applied.current = id),
  };
}
