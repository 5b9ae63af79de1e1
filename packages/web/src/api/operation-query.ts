/**
 * Operations as queries. The key is the operation's name and its arguments. Each query declares which events change its
 * data, and is refetched only for those.
 */
import type { Client, OperationName } from '@milepost/api';
import type { LiveEvent } from '../live/live-event.ts';
import { client } from './client.ts';

/**
 * Whether an event changes the data of a query. `later`: the change is of little importance and frequent, so the query is refetched
 * at most once in a few seconds. `data` is the current data of the query, if it has any.
 */
export type Touches = (event: LiveEvent, data?: unknown) => boolean | 'later';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { touchedBy?: Touches };
  }
}

export type CallOf<N extends OperationName> = Parameters<Client[N]>[0];
export type BodyOf<N extends OperationName> = Awaited<ReturnType<Client[N]>>;
export type QueryOf<N extends OperationName> =
  NonNullable<CallOf<N>> extends { query?: infer Q } ? NonNullable<Q> : never;

/** For data that no event changes. */
export const noEvents: Touches = () => false;

/** The options for `useQuery`. */
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
