/** The experiments that indexes list for the terms of a query. If they are few, all of them are filtered and sorted. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';
import { matchesQuery } from './match-query.ts';
import type { Near } from './past-events.ts';
import { sorts, type Cursor } from './query-sorts.ts';
import type { ResolvedQuery, ResolvedTerm } from './resolve-query.ts';
import { buffersOf, buffersOfLookup, buffersOfTerms, type SearchLimits } from './search-limits.ts';
import type { SizedSource } from './source-sizes.ts';
import type { Candidates } from './narrow-ids.ts';
import type { FoundPage, SearchRequest } from './search-request.ts';
import { withinTime } from './within-time.ts';

/** Buffers to filter and sort all of them. */
export function costOfSorting({ sort }: SearchRequest, { ids, others }: Candidates): number {
  const buffersOfEach = buffersOfTerms(others.terms) + (sorts[sort].needsLookup ? buffersOfLookup : 0);
  return buffersOf(ids) + ids.length * buffersOfEach;
}

/**
 * Those that all listed terms have in common. None if no index lists the experiments of a term, or each has too many. `read` counts the rows
 * that it took.
 */
export async function listCandidates(
  db: Db,
  { query }: SearchRequest,
  sources: readonly SizedSource[],
  limits: SearchLimits,
): Promise<{ listed: Candidates | undefined; read: number }> {
  const lists: { term: ResolvedTerm | undefined; ids: number[] }[] = [];
  let [read, failed] = [0, 0];
  for (const source of sources) {
    const most = Math.min(mostOf(source, limits), limits.rows - read);
    if (most <= (source.size ?? 0) || failed > mostFailed || lists.some(({ ids }) => ids.length <= few)) continue;
    const ids = await listIds(db, source, Math.floor(most));
    read += ids?.length ?? most;
    if (ids) lists.push({ term: source.term, ids });
    else failed++;
  }
  if (lists.length === 0) return { listed: undefined, read };
  const terms = query.terms.filter((term) => lists.every((list) => list.term !== term));
  return { listed: { ids: common(lists), others: { ...query, terms } }, read };
}

/** Reading on would cost more than looking up these. */
const few = 50;
const mostFailed = 1;

function common(lists: readonly { ids: number[] }[]): number[] {
  const [first, ...others] = lists.toSorted((a, b) => a.ids.length - b.ids.length);
  const sets = others.map(({ ids }) => new Set(ids));
  return (first?.ids ?? []).filter((id) => sets.every((set) => set.has(id)));
}

/** Words share pages of the index, others take about one look at a table for each id. */
const mostOf = ({ isListed, isCostly }: SizedSource, { rows, buffers }: SearchLimits) =>
  isListed ? rows / 2 : isCostly ? rows / 4 : buffers / buffersOfLookup;

/** Undefined if there are more, of all cohorts, or if too many rows would be read to find them. */
async function listIds(db: Db, source: SizedSource, most: number): Promise<number[] | undefined> {
  const statement = source.near ? listNear(source.near, most) : listed(source.ids, most);
  const { rows } = source.isCostly ? await withinTime(db, statement) : await statement.execute(db);
  const ids = rows[0]?.ids?.map(Number);
  return ids && ids.length <= most ? [...new Set(ids)].toSorted((a, b) => a - b) : undefined;
}

interface Listed {
  ids: number[] | null;
}

const listed = (ids: RawBuilder<unknown>, most: number) => sql<Listed>`
  select array(select found.id from (${ids}) as found limit ${sql.lit(most + 1)}) as ids`;

/** No ids if too many rows are near. These are only read as far as is needed. */
function listNear({ rows, matching, buffersOfRow }: Near, most: number) {
  const mostNear = Math.floor((most * buffersOfLookup) / buffersOfRow);
  return sql<Listed>`
    with near as materialized (select one.* from (${rows}) as one limit ${sql.lit(mostNear + 1)}),
      found as materialized (${listed(matching, most)})
    select case when cardinality(found.ids) <= ${sql.lit(most)} and (select count(*) from near) <= ${sql.lit(mostNear)} then found.ids end as ids
    from found`;
}

/** All experiments that the caller can read, if they are not many. */
export async function listAll(
  db: Db,
  query: ResolvedQuery,
  sources: readonly SizedSource[],
  { all }: SearchLimits,
): Promise<Candidates | undefined> {
  const source = sources.find(({ term }) => term === undefined);
  if (!source || (source.size ?? 0) > all) return undefined;
  const ids = await listIds(db, source, all);
  return ids && { ids, others: query };
}

const types = { bigint: sql`bigint`, timestamp: sql`timestamp`, text: sql`text` };

export async function sortCandidates(
  db: Db,
  scope: Scope,
  { sort, isDescending, after, limit }: SearchRequest,
  candidates: Candidates,
): Promise<FoundPage> {
  const { key, type, isReversed = false } = sorts[sort];
  const isDown = isDescending !== isReversed;
  const [direction, comparison] = isDown ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const value = type === 'text' ? sql`found.key collate "C"` : sql`found.key`;
  const start = after
    ? sql`(${value}, found.id) ${comparison} (${after.key}::${types[type]}, ${after.id}::bigint)`
    : sql`true`;
  const { rows } = await sql<Cursor>`
    select found.id, found.key::text as key from (
      select experiments.id, ${key(isDown)} as key from experiments
      where experiments.id = any(${candidates.ids}::bigint[]) and ${inScope(scope, 'experiments.cohort_id')}
        and ${matchesQuery(candidates.others)} offset 0) as found
    where ${start} order by ${value} ${direction}, found.id ${direction} limit ${limit + 1}`.execute(db);
  const found = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { found, hasMore, next: hasMore ? found.at(-1) : undefined, candidates };
}
