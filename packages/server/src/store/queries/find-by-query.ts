/**
 * Finds the experiments of a query with a limited number of reads (docs/decisions/0042). If indexes have few experiments of its terms, all of
 * them are filtered and sorted. Otherwise an index is read in the order of the page, up to a limit. A query that needs more is rejected.
 */
import type { Db } from '../../database/connection.ts';
import type { Scope } from '../scope.ts';
import { costOfSorting, listAll, listCandidates, sortCandidates } from './candidates.ts';
import { narrowCandidates, type Candidates } from './narrow-ids.ts';
import { sourcesOf } from './query-sources.ts';
import { readSizes, type SizedSource } from './source-sizes.ts';
import type { Sizes } from './walks.ts';
import { sorts } from './query-sorts.ts';
import { readWalk } from './read-walk.ts';
import type { ResolvedQuery, ResolvedTerm } from './resolve-query.ts';
import { searchLimits, type SearchLimits } from './search-limits.ts';
import type { FoundPage, Refusal, SearchRequest } from './search-request.ts';

/** A first page with fewer experiments is refused, although more could follow. The same for each size of a page, because a list and its
 * export must be refused together. */
const leastFound = 10;

/** A page after the first one is not refused, because a list that began must not break off. */
export async function findByQuery(
  db: Db,
  scope: Scope,
  request: SearchRequest,
  limits = searchLimits,
): Promise<FoundPage | Refusal> {
  const { sources, sizes } = await readSizes(db, request.query, sourcesOf(scope, request.query));
  const { listed: broad, read } = await listCandidates(db, request, sources, limits);
  if (broad && costOfSorting(request, broad) <= limits.buffers) return sortCandidates(db, scope, request, broad);
  const { narrowed: listed, buffers } = broad
    ? await narrowCandidates(db, { ...request, scope, sizes }, broad)
    : { narrowed: undefined, buffers: 0 };
  const left = { ...limits, rows: Math.max(1, limits.rows - read), buffers: limits.buffers - buffers };
  if (listed && costOfSorting(request, listed) <= left.buffers) return sortCandidates(db, scope, request, listed);
  const walked = await walk(db, scope, request, { sizes, listed }, left);
  if (walked?.isComplete) return { ...walked.page, candidates: listed };
  const all = (await listAll(db, request.query, sources, limits)) ?? (request.after && listed);
  if (all) return sortCandidates(db, scope, request, all);
  const least = request.after ? 0 : Math.min(leastFound, request.limit);
  if (walked && walked.page.found.length >= least) return { ...walked.page, candidates: listed };
  return walked ? { refused: 'terms', term: broadTerm(sources, request.query) } : { refused: 'sort', term: undefined };
}

async function walk(
  db: Db,
  scope: Scope,
  request: SearchRequest,
  { sizes, listed }: { sizes: Sizes; listed: Candidates | undefined },
  limits: SearchLimits,
): Promise<{ isComplete: boolean; page: FoundPage } | undefined> {
  const { isReversed = false, walk: walkOf } = sorts[request.sort];
  if (!walkOf) return undefined;
  const query = listed?.others ?? request.query;
  const order = { ...request, query, isDescending: request.isDescending !== isReversed };
  const along = walkOf({ ...order, scope, sizes, listed: listed?.ids });
  const { found, next, isComplete } = await readWalk(db, scope, { ...order, listed: listed?.ids }, along, limits);
  return { isComplete, page: { found, hasMore: next !== undefined, next, candidates: undefined } };
}

/** A term that no index serves, or else the first one. */
function broadTerm(sources: readonly SizedSource[], query: ResolvedQuery): ResolvedTerm | undefined {
  const served = new Set(sources.map(({ term }) => term));
  return query.terms.find((term) => !served.has(term)) ?? query.terms[0];
}
