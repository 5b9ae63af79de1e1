/** A request for a page of a search, and its result. */
import type { Candidates } from './narrow-ids.ts';
import type { Cursor, SortName } from './query-sorts.ts';
import type { ResolvedQuery, ResolvedTerm } from './resolve-query.ts';

export interface SearchRequest {
  query: ResolvedQuery;
  sort: SortName;
  isDescending: boolean;
  after: Cursor | undefined;
  limit: number;
}

export interface FoundPage {
  found: Cursor[];
  hasMore: boolean;
  /** Where the next page begins. A page can have fewer experiments than its limit, or none, and still a next one. */
  next: Cursor | undefined;
  candidates: Candidates | undefined;
}

/** The query is too broad. With a term if that is the reason, without one if the sort is. */
export interface Refusal {
  refused: 'sort' | 'terms';
  term: ResolvedTerm | undefined;
}
