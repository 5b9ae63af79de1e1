/** Calls the store functions of queries with a scope, for the test of all of them. Each returns the ids that are visible. */
import { queries } from '@milepost/api';
import { sql } from 'kysely';
import type { Database } from '../src/database/connection.ts';
import { countFound, findByQuery } from '../src/store/queries/find-by-query.ts';
import { findByText } from '../src/store/queries/find-by-text.ts';
import { containing, sourcesOf } from '../src/store/queries/query-sources.ts';
import { resolveQuery, type ResolvedQuery } from '../src/store/queries/resolve-query.ts';
import { allCohorts, type Scope } from '../src/store/scope.ts';

type Read = (scope: Scope, id: number) => Promise<number[]>;

const everything: ResolvedQuery = { terms: [], findsSubstrings: true };
/** Small enough to read along an index instead of sorting. */
const walking = { candidates: 0, all: 0, walked: 100, counted: 100 };

export function readsOfQueries(database: () => Database): Record<string, Read[]> {
  const page = { sort: 'id', isDescending: false, after: undefined, limit: 10 } as const;
  const resolve = (scope: Scope, text: string) =>
    resolveQuery(database().db, { id: 1, scope }, queries.readQuery(text).terms);
  const find = async (scope: Scope, text: string, limits?: typeof walking) => {
    const query = await resolve(allCohorts, text);
    if ('errors' in query) return [];
    const found = await findByQuery(database().db, scope, { ...page, query }, limits);
    return 'refused' in found ? [] : found.found.map(({ id }) => id);
  };
  return {
    resolveQuery: [async (scope, id) => ('errors' in (await resolve(scope, `cohort:c${id}`)) ? [] : [id])],
    findByQuery: [
      (scope) => find(scope, ''),
      (scope) => find(scope, '', walking),
      (scope) => find(scope, 'incident:failed'),
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
