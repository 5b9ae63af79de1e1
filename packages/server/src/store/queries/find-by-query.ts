/**
 * Finds the experiments of a query with a limited number of reads (docs/decisions/0042). If an index has few experiments of a term, all of
 * them are filtered and sorted. Otherwise an index is read in the order of the page, up to a limit. A query that needs more is rejected.
 */
import { maxFoundCount } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { experimentInScope, inScope, scanLimit, type Scope } from '../scope.ts';
import { matchesQuery } from './match-query.ts';
import { sourcesOf, type Source } from './query-sources.ts';
import { sorts, type Cursor, type SortName, type Walk } from './query-sorts.ts';
import type { ResolvedQuery, ResolvedTerm } from './resolve-query.ts';
import { withinTime } from './within-time.ts';

export interface SearchLimits {
  /** The most experiments of a term that are filtered and sorted. */
  candidates: number;
  /** The same for all experiments that the caller can read. In a small installation, every query is accepted. */
  all: number;
  /** The most rows that are read in the order of the page. */
  walked: number;
  /** The most experiments that are read to count them. */
  counted: number;
}

export const searchLimits: SearchLimits = { candidates: 2000, all: 10_000, walked: 2000, counted: maxFoundCount };

export interface SearchRequest {
  query: ResolvedQuery;
  sort: SortName;
  isDescending: boolean;
  after: Cursor | undefined;
  limit: number;
}

/** The experiments of a term that finds few. The other terms are not applied yet. */
export interface Candidates {
  ids: number[];
  others: ResolvedQuery;
}

export interface FoundPage {
  found: Cursor[];
  hasMore: boolean;
  candidates: Candidates | undefined;
}

/** The query is too broad. With a term if that is the reason, without one if the sort is. */
export interface Refusal {
  refused: 'sort' | 'terms';
  term: ResolvedTerm | undefined;
}

export async function findByQuery(
  db: Db,
  scope: Scope,
  request: SearchRequest,
  limits = searchLimits,
): Promise<FoundPage | Refusal> {
  const candidates = await readCandidates(db, scope, request.query, limits);
  if (candidates) return { ...(await sortCandidates(db, scope, request, candidates)), candidates };
  const { isReversed = false, walk: walkOf } = sorts[request.sort];
  if (!walkOf) return { refused: 'sort', term: undefined };
  const walk = walkOf({ ...request, scope, isDescending: request.isDescending !== isReversed });
  const page = await readWalk(db, scope, request, walk, limits.walked);
  return page ? { ...page, candidates: undefined } : { refused: 'terms', term: broadTerm(scope, request.query) };
}

/** A term that no index serves, or else the first one. */
function broadTerm(scope: Scope, query: ResolvedQuery): ResolvedTerm | undefined {
  const served = new Set(sourcesOf(scope, query).map(({ term }) => term));
  return query.terms.find((term) => !served.has(term)) ?? query.terms[0];
}

const mostOf = ({ term }: Source, limits: SearchLimits) => (term ? limits.candidates : limits.all);

/** Those of a selective term, if they are few. The sizes of states and cohorts are known, others are tried. */
async function readCandidates(
  db: Db,
  scope: Scope,
  query: ResolvedQuery,
  limits: SearchLimits,
): Promise<Candidates | undefined> {
  const sources = sourcesOf(scope, query);
  const tried = sources.filter(({ counted }) => !counted).slice(0, mostTried);
  const small = await listSmall(db, sources, limits);
  for (const source of [...tried, ...small]) {
    const ids = await readIds(db, scope, source, mostOf(source, limits));
    if (ids) return { ids: [...new Set(ids)], others: without(query, source.term) };
  }
  return undefined;
}

const mostTried = 3;

/** Undefined if there are more, in the scope or among the first ones of all cohorts. */
async function readIds(db: Db, scope: Scope, source: Source, most: number): Promise<number[] | undefined> {
  const isVisible = source.isScoped ? sql<boolean>`true` : experimentInScope(scope, sql`near.id`);
  const nearest = source.isScoped || scope.kind === 'all' ? most : scanLimit;
  const statement = sql<{ read: number; ids: number[] }>`
    with near as materialized (select found.id from (${source.ids}) as found limit ${sql.lit(nearest + 1)})
    select (select count(*) from near)::integer as read,
      array(select near.id from near where ${isVisible} limit ${sql.lit(most + 1)}) as ids`;
  const { rows } = source.isCostly ? await withinTime(db, statement) : await statement.execute(db);
  const [found] = rows;
  return found && found.read <= nearest && found.ids.length <= most ? found.ids.map(Number) : undefined;
}

const without = (query: ResolvedQuery, served: ResolvedTerm | undefined): ResolvedQuery => ({
  ...query,
  terms: query.terms.filter((term) => term !== served),
});

/** The smallest source of known size. The counts leave out withdrawn subjects and recent changes, so the limit is checked again. */
async function listSmall(db: Db, sources: readonly Source[], limits: SearchLimits): Promise<Source[]> {
  const counted = sources.filter((source) => source.counted);
  const sums = counted.map(
    (source) => sql`coalesce(sum(state_counts.experiments) filter (where ${source.counted ?? sql`true`}), 0)::bigint`,
  );
  const { rows } = await sql<{ sizes: number[] }>`select array[${sql.join(sums)}] as sizes from state_counts`.execute(
    db,
  );
  const sizes = rows[0]?.sizes.map(Number) ?? [];
  const small = counted.map((source, place) => ({ source, size: sizes[place] ?? 0 }));
  return small
    .filter(({ source, size }) => size <= mostOf(source, limits))
    .toSorted((a, b) => a.size - b.size)
    .slice(0, 1)
    .map(({ source }) => source);
}

const types = { bigint: sql`bigint`, timestamp: sql`timestamp`, text: sql`text` };

const matches = (scope: Scope, query: ResolvedQuery) =>
  sql<boolean>`${inScope(scope, 'experiments.cohort_id')} and ${matchesQuery(query)}`;

async function sortCandidates(
  db: Db,
  scope: Scope,
  { sort, isDescending, after, limit }: SearchRequest,
  { ids, others }: Candidates,
): Promise<Omit<FoundPage, 'candidates'>> {
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
      where experiments.id = any(${[...ids]}::bigint[]) and ${matches(scope, others)} offset 0) as found
    where ${start} order by ${value} ${direction}, found.id ${direction} limit ${limit + 1}`.execute(db);
  return { found: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Undefined if the limit was reached before the page was full. */
async function readWalk(
  db: Db,
  scope: Scope,
  { query, sort, isDescending, limit }: SearchRequest,
  { near, experimentsOf = (rows) => rows }: Walk,
  most: number,
): Promise<Omit<FoundPage, 'candidates'> | undefined> {
  const { key, isReversed = false } = sorts[sort];
  const { rows } = await sql<Cursor>`
    select experiments.id, ${key(isDescending !== isReversed)}::text as key
    from (${experimentsOf(near(most))}) as experiments
    where ${matches(scope, query)} limit ${limit + 1}`.execute(db);
  if (rows.length > limit) return { found: rows.slice(0, limit), hasMore: true };
  const beyond = await sql`select from (${near(most + 1)}) as near offset ${most}`.execute(db);
  return beyond.rows.length > 0 ? undefined : { found: rows, hasMore: false };
}

export interface StateCount {
  state_id: number;
  state_label: string;
  workflow_id: number;
  workflow_label: string;
  experiments: number;
}

/** Whether another table is read for each experiment. */
const needsLookup = ({ condition }: ResolvedTerm): boolean =>
  !(
    condition.kind === 'ids' ||
    ('name' in condition && ['state', 'workflow', 'cohort', 'label', 'scanned'].includes(condition.name))
  );

/** The experiments of the query in each state. If reading stopped early, the counts are a minimum. */
export async function countFound(
  db: Db,
  scope: Scope,
  query: ResolvedQuery,
  candidates: Candidates | undefined,
  limits = searchLimits,
): Promise<{ states: StateCount[]; hasMore: boolean }> {
  const most = query.terms.some(needsLookup) ? limits.walked : limits.counted;
  const near: RawBuilder<unknown> = candidates
    ? sql`select experiments.* from experiments where experiments.id = any(${candidates.ids}::bigint[])`
    : (sorts.id.walk?.({ isDescending: false, after: undefined, query, scope }).near(most + 1) ?? sql``);
  const { rows } = await sql<StateCount & { read: number }>`
    select states.id as state_id, states.label as state_label, workflows.id as workflow_id, workflows.label as workflow_label,
      counted.read, counted.experiments
    from (
      select experiments.state_id, count(*)::integer as read, count(*) filter (where ${matches(scope, candidates?.others ?? query)})::integer as experiments
      from (${near}) as experiments group by experiments.state_id) as counted
    join states on states.id = counted.state_id join workflows on workflows.id = states.workflow_id
    order by workflows.id, states.position, states.id`.execute(db);
  const read = rows.reduce((sum, row) => sum + row.read, 0);
  return { states: rows.filter(({ experiments }) => experiments > 0), hasMore: !candidates && read > most };
}
