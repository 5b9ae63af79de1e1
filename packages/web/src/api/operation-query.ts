/**
 * Operations as queries: the key is the operation's name and what it is called with, so that one search leads from a page
 * to the table. Each query says which events change what it shows; the live data refetch it for those and no others.
 */
import type { Client, OperationName } from '@milepost/api';
import type { LiveEvent } from '../live/live-event.ts';
import { client } from './client.ts';

/** `data` is what is shown, if anything is yet. */
export type Touches = (event: LiveEvent, data?: unknown) => boolean;

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { touchedBy?: Touches };
  }
}

export type CallOf<N extends OperationName> = Parameters<Client[N]>[0];
export type BodyOf<N extends OperationName> = Awaited<ReturnType<Client[N]>>;
export type QueryOf<N extends OperationName> =
  NonNullable<CallOf<N>> extends { query?: infer Q } ? NonNullable<Q> : never;

/** For what no event changes. */
export const nothing: Touches = () => false;

/** What useQuery takes. */
export interface OperationQuery<Body> {
  queryKey: readonly [name: OperationName, call: object];
  queryFn: (context: { signal: AbortSignal }) => Promise<Body>;
  meta: { touchedBy: Touches };
}

type AnyCall<Body> = (call: object) => Promise<Body>;

export const operationQuery = <N extends OperationName>(
  name: N,
  call: CallOf<N>,
  touchedBy: Touches,
): OperationQuery<BodyOf<N>> => ({
  queryKey: [name, call ?? {}],
  queryFn: ({ signal }) => (client[name] as AnyCall<BodyOf<N>>)({ ...call, signal }),
  meta: { touchedBy },
});
