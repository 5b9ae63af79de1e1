/** Counts the experiments that a saved view finds for the caller. */
import { maxFoundCount, queries, type ViewCount } from '@milepost/api';
import type { Static } from 'typebox';
import type { Db } from '../../database/connection.ts';
import { countFound } from '../../store/queries/count-found.ts';
import { findByQuery } from '../../store/queries/find-by-query.ts';
import type { SortName } from '../../store/queries/query-sorts.ts';
import { resolveQuery } from '../../store/queries/resolve-query.ts';
import type { Scope } from '../../store/scope.ts';
import type { ViewRow } from '../../store/screens/views.ts';

/** A view whose query would be rejected has no number: its page shows the error. */
export async function countView(
  db: Db,
  caller: { id: number; scope: Scope },
  { id, query, sort }: ViewRow,
): Promise<Static<typeof ViewCount>> {
  const uncounted = { view_id: id, experiments: null, more: false };
  const { terms, errors } = queries.readQuery(query);
  if (errors.length > 0) return uncounted;
  const resolved = await resolveQuery(db, caller, terms);
  if ('errors' in resolved) return uncounted;
  const page = await findByQuery(db, caller.scope, {
    query: resolved,
    sort: sort.replace(/^-/, '') as SortName,
    isDescending: sort.startsWith('-'),
    after: undefined,
    limit: pageSize,
  });
  if ('refused' in page) return uncounted;
  const { states, hasMore } = await countFound(db, caller.scope, resolved, page.candidates);
  const total = states.reduce((sum, state) => sum + state.experiments, 0);
  return { view_id: id, experiments: Math.min(total, maxFoundCount), more: hasMore };
}

/** The page that is shown when the view is opened. */
const pageSize = 50;
