/** Reads a page along an index. The number of rows is limited, and that of lookups in other tables. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';
import type { SearchRequest } from './search-request.ts';
import { matchesQuery } from './match-query.ts';
import { sorts, type Cursor } from './query-sorts.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import { buffersOfLookup, buffersOfTerm, buffersOfTerms, type SearchLimits } from './search-limits.ts';
import type { Walk } from './walks.ts';

export interface WalkedPage {
  found: Cursor[];
  next: Cursor | undefined;
  /** Otherwise a limit was reached before the page was full, and the next page continues there. */
  isComplete: boolean;
}

interface ListedRequest extends SearchRequest {
  /** The only ids that match. */
  listed: readonly number[] | undefined;
}

const isListed = ({ listed }: ListedRequest, id: RawBuilder<unknown>) =>
  listed ? sql`${id} = any(${[...listed]}::bigint[])` : sql`true`;

interface Row extends Cursor {
  kind: 'found' | 'kept' | 'near';
}

/**
 * `near` are the rows of the index, `kept` those that match by themselves, and `page` those that match as a whole. Each is read only as far
 * as the next one needs it.
 */
export async function readWalk(
  db: Db,
  scope: Scope,
  request: ListedRequest,
  walk: Walk,
  limits: SearchLimits,
): Promise<WalkedPage> {
  const { limit } = request;
  const { kept, page, key } = (walk.ofIds ? stepsOfIds : stepsOfRows)(scope, request, walk);
  const most = mostRows(request.query, walk, limits);
  const { rows } = await sql<Row>`
    with near as materialized (${walk.near(most.near)}), kept as materialized (${kept} limit ${sql.lit(most.kept)}),
      page as materialized (${page} limit ${sql.lit(limit + 1)}), read as (select count(*) <= ${limit} as is_short from page)
    select 'found' as kind, page.id, page.key::text as key from page
    union all select 'kept', ${key} from (
      select kept.* from kept offset ${sql.lit(most.kept - 1)} limit 1) as experiments where (select read.is_short from read)
    union all select 'near', ${key} from (
      select near.* from near offset ${sql.lit(most.near - 1)} limit 1) as experiments where (select read.is_short from read)`.execute(
    db,
  );
  const found = rows.flatMap(({ kind, id, key: at }) => (kind === 'found' ? [{ id, key: at }] : []));
  if (found.length > limit) {
    const shown = found.slice(0, limit);
    return { found: shown, next: shown.at(-1), isComplete: true };
  }
  const end = rows.find(({ kind }) => kind === 'kept') ?? rows.find(({ kind }) => kind === 'near');
  return { found, next: end && { id: end.id, key: end.key }, isComplete: end === undefined };
}

/** Rows of the index and lookups share the buffers. */
function mostRows({ terms }: ResolvedQuery, walk: Walk, { buffers, rows }: SearchLimits) {
  const buffersOfKept = buffersOfTerms(terms) + (walk.ofIds ? buffersOfLookup : 0);
  const byBuffers = (buffers * (buffersOfKept === 0 ? 1 : shareOfRows)) / walk.buffersOfRow;
  const near = Math.max(1, Math.floor(Math.min(rows, byBuffers) / (walk.parents ?? 1)));
  const left = buffers - near * (walk.parents ?? 1) * walk.buffersOfRow;
  return { near, kept: buffersOfKept === 0 ? near : Math.max(1, Math.floor(left / buffersOfKept)) };
}

const shareOfRows = 0.35;

interface Steps {
  kept: RawBuilder<unknown>;
  page: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
}

const part = (query: ResolvedQuery, lookups: boolean): ResolvedQuery => ({
  ...query,
  terms: query.terms.filter((term) => buffersOfTerm(term) > 0 === lookups),
});

function stepsOfRows(scope: Scope, request: ListedRequest, { ofOrder }: Walk): Steps {
  const { query, sort, isDescending } = request;
  const key = sql`experiments.id, (${ofOrder?.key ?? sorts[sort].key(isDescending)})::text as key`;
  return {
    kept: sql`select experiments.* from near as experiments where ${ofOrder?.filter ?? sql`true`}
      and ${isListed(request, sql`experiments.id`)} and ${inScope(scope, 'experiments.cohort_id')} and ${matchesQuery(part(query, false))}`,
    page: sql`select ${key} from kept as experiments where ${matchesQuery(part(query, true))}`,
    key,
  };
}

function stepsOfIds(scope: Scope, request: ListedRequest, { ofIds }: Walk): Steps {
  const key = sql`experiments.id, experiments.key::text as key`;
  return {
    kept: sql`select near.* from near where ${isListed(request, sql`near.id`)} and ${ofIds?.filter ?? sql`true`}`,
    page: sql`select near.id, near.key from kept as near cross join lateral (
      select from experiments where experiments.id = near.id and ${ofIds?.isCurrent ?? sql`true`}
        and ${inScope(scope, 'experiments.cohort_id')} and ${matchesQuery(request.query)} offset 0) as one`,
    key,
  };
}
