/** Calls the store functions of queries with a scope, for the test of all of them. Each returns the ids that are visible. */
import { queries } from '@milepost/api';
import { sql } from 'kysely';
import type { Database } from '../src/database/connection.ts';
import { sortCandidates } from '../src/store/queries/candidates.ts';
import { countFound } from '../src/store/queries/count-found.ts';
import { findByQuery } from '../src/store/queries/find-by-query.ts';
import { findByText } from '../src/store/queries/find-by-text.ts';
import { containing, sourcesOf } from '../src/store/queries/query-sources.ts';
import { readWalk } from '../src/store/queries/read-walk.ts';
import { resolveQuery, type ResolvedQuery } from '../src/store/queries/resolve-query.ts';
import { searchLimits } from '../src/store/queries/search-limits.ts';
import { byAction, isLatest } from '../src/store/queries/walk-actions.ts';
import { byId } from '../src/store/queries/walk-ids.ts';
import type { Walk, WalkRequest } from '../src/store/queries/walks.ts';
import { allCohorts, type Scope } from '../src/store/scope.ts';

type Read = (scope: Scope, id: number) => Promise<number[]>;

const everything: ResolvedQuery = { terms: [], findsSubstrings: true };

export function readsOfQueries(database: () => Database): Record<string, Read[]> {
  const page = { sort: 'id', isDescending: false, after: undefined, limit: 10 } as const;
  const resolve = (scope: Scope, text: string) =>
    resolveQuery(database().db, { id: 1, scope }, queries.readQuery(text).terms);
  const find = async (scope: Scope, text: string) => {
    const query = await resolve(allCohorts, text);
    if ('errors' in query) return [];
    const found = await findByQuery(database().db, scope, { ...page, query });
    return 'refused' in found ? [] : found.found.map(({ id }) => id);
  };
  const walk = async (scope: Scope, along: (request: WalkRequest) => Walk) => {
    const sizes = { state: Infinity, cohort: Infinity, deciding: [] };
    const request = { ...page, query: everything, listed: undefined };
    const all = along({ ...request, scope: allCohorts, sizes });
    return (await readWalk(database().db, scope, request, all, searchLimits)).found.map(({ id }) => id);
  };
  return {
    resolveQuery: [async (scope, id) => ('errors' in (await resolve(scope, `cohort:c${id}`)) ? [] : [id])],
    findByQuery: [(scope) => find(scope, ''), (scope) => find(scope, 'incident:failed')],
    sortCandidates: [
      async (scope) => {
        const candidates = { ids: [1, 2], others: everything };
        const sorted = await sortCandidates(database().db, scope, { ...page, query: everything }, candidates);
        return sorted.found.map(({ id }) => id);
      },
    ],
    readWalk: [
      // A walk along all experiments.
      (scope) => walk(scope, byId),
      (scope) => walk(scope, byAction(isLatest)),
    ],
    containing: [
      async (scope) => {
        const { rows } = await sql<{ id: number }>`${containing('exp', scope)?.ids ?? sql`select`}`.execute(
          database().db,
        );
        return rows.map(({ id }) => id);
      },
    ],
    findByText: [(scope) => findByText(database().db, scope, 'exp', 10)],
    countFound: [
      async (scope, id) => {
        const query = await resolve(allCohorts, `id:${id}`);
        if ('errors' in query) return [];
        const { states } = await countFound(database().db, scope, query, undefined);
        return states.map(() => id);
      },
    ],
    sourcesOf: [
      async (scope) => {
        const [all] = sourcesOf(scope, everything);
        const { rows } = await sql<{ id: number }>`${all?.ids ?? sql`select`}`.execute(database().db);
        return rows.map(({ id }) => id);
      },
    ],
  };
}
