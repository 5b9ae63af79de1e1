/** Finds out which of many ids are in a state or cohort, from the index alone. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import { cohortsOf, statesOf, type WalkRequest } from './walks.ts';

/** Experiments that indexes found for some terms. The other terms are not applied yet, nor is the scope. */
export interface Candidates {
  /** In ascending order. */
  ids: number[];
  others: ResolvedQuery;
}

/** The request without a place in the list. */
type Restricted = Pick<WalkRequest, 'query' | 'scope' | 'sizes'>;

/** An index with at most this many entries is read faster than each experiment is looked up. */
const mostEntries = { state: 60_000, cohort: 20_000 };
/** A search in the index takes three buffers, and finds those on the same page. */
const [entriesOfPage, buffersOfSearch] = [250, 3];

const sizeOf = (request: Restricted): number | undefined => {
  const { state, cohort } = request.sizes;
  if (statesOf(request) && state <= mostEntries.state) return state;
  return cohortsOf(request) && cohort <= mostEntries.cohort ? cohort : undefined;
};

/** A query for those of the ids that are in the states and cohorts. The index of states has the cohort of each experiment. */
export function idsTogether(request: Restricted, ids: RawBuilder<unknown>): RawBuilder<unknown> | undefined {
  if (sizeOf(request) === undefined) return undefined;
  const [states, cohorts] = [statesOf(request), cohortsOf(request)];
  const inStates = states ? sql`experiments.state_id = any(${states}::bigint[])` : sql`true`;
  const inCohorts = cohorts ? sql`experiments.cohort_id = any(${cohorts}::bigint[])` : sql`true`;
  return sql`select experiments.id from experiments where ${inStates} and ${inCohorts} and experiments.id = any(${ids})`;
}

/** Leaves out candidates in other states and cohorts. `buffers` is what it took. */
export async function narrowCandidates(
  db: Db,
  request: Restricted,
  candidates: Candidates,
): Promise<{ narrowed: Candidates; buffers: number }> {
  const restricted = { ...request, query: candidates.others };
  const query = idsTogether(restricted, sql`${candidates.ids}::bigint[]`);
  if (!query) return { narrowed: candidates, buffers: 0 };
  const { rows } = await sql<{ id: number }>`${query} order by experiments.id`.execute(db);
  const pages = Math.min(candidates.ids.length, (sizeOf(restricted) ?? 0) / entriesOfPage);
  return { narrowed: { ...candidates, ids: rows.map(({ id }) => id) }, buffers: pages * buffersOfSearch };
}
