/** Counts the experiments of a query in each state. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';
import type { Candidates } from './narrow-ids.ts';
import { matchesQuery } from './match-query.ts';
import { sourcesOf, type Source } from './query-sources.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import { searchLimits, type SearchLimits } from './search-limits.ts';
import { readSizes } from './source-sizes.ts';
import { byId } from './walk-ids.ts';

export interface StateCount {
  state_id: number;
  state_label: string;
  workflow_id: number;
  workflow_label: string;
  experiments: number;
}

/** If reading stopped early, the counts are a minimum. Whether it did must not depend on cohorts that the caller cannot read. */
export async function countFound(
  db: Db,
  scope: Scope,
  query: ResolvedQuery,
  candidates: Candidates | undefined,
  limits = searchLimits,
): Promise<{ states: StateCount[]; hasMore: boolean }> {
  const { near, isCut } = candidates
    ? { near: ofIds(candidates.ids), isCut: false }
    : await ofWalk(db, scope, query, limits);
  const own = inScope(scope, 'experiments.cohort_id');
  const found = sql`count(*) filter (where ${own} and ${matchesQuery(candidates?.others ?? query)})`;
  const { rows } = await sql<StateCount & { read: number }>`
    select states.id as state_id, states.label as state_label, workflows.id as workflow_id, workflows.label as workflow_label,
      counted.read, counted.experiments
    from (
      select experiments.state_id, (count(*) filter (where ${own}))::integer as read, ${found}::integer as experiments
      from (${near}) as experiments group by experiments.state_id) as counted
    join states on states.id = counted.state_id join workflows on workflows.id = states.workflow_id
    order by workflows.id, states.position, states.id`.execute(db);
  const read = rows.reduce((sum, row) => sum + row.read, 0);
  return {
    states: rows.filter(({ experiments }) => experiments > 0),
    hasMore: isCut || (!candidates && read > limits.counted),
  };
}

const ofIds = (ids: readonly number[]) =>
  sql`select experiments.* from experiments where experiments.id = any(${[...ids]}::bigint[])`;

interface Walk {
  near: RawBuilder<unknown>;
  /** There can be more experiments, even if fewer are read than are counted, because a term can list an experiment several times. */
  isCut: boolean;
}

/** One more than are counted: of the term that finds the fewest, or else of states or cohorts. */
async function ofWalk(db: Db, scope: Scope, query: ResolvedQuery, limits: SearchLimits): Promise<Walk> {
  const most = limits.counted + 1;
  const sources = sourcesOf(scope, query);
  const listed = await listTerm(db, scope, sources, most);
  if (listed) return listed;
  const { sizes } = await readSizes(db, query, sources);
  const parent = scope.kind === 'cohorts' || sizes.cohort < sizes.state ? 'cohort' : 'state';
  const terms = query.terms.filter(({ condition }) => 'name' in condition && condition.name === parent);
  const request = { isDescending: false, after: undefined, scope, sizes, listed: undefined };
  return { near: byId({ ...request, query: { ...query, terms } }).near(most), isCut: false };
}

/**
 * Undefined without such a term. For a caller with some cohorts also if it finds too many to read those of all cohorts, and for a term about the
 * past also if too many rows do not match.
 */
async function listTerm(db: Db, scope: Scope, sources: readonly Source[], most: number): Promise<Walk | undefined> {
  const source = sources.find(({ counted, isCostly }) => !counted && !isCostly);
  if (!source) return undefined;
  const ids = sql`select one.id from (${source.ids}) as one limit ${sql.lit(most)}`;
  const filtered = source.near?.hasOthers ? source.near.rows : undefined;
  const read = filtered ? sql`select from (${filtered}) as one limit ${sql.lit(most)}` : ids;
  const { rows } = await sql<{ number: number }>`select count(*)::integer as number from (${read}) as listed`.execute(
    db,
  );
  const isCut = (rows[0]?.number ?? most) >= most;
  if (isCut && (filtered || scope.kind === 'cohorts')) return undefined;
  return { near: looked(sql`select distinct found.id from (${ids}) as found`), isCut };
}

const looked = (ids: RawBuilder<unknown>) => sql`
  select found.* from (${ids}) as near cross join lateral (
    select experiments.* from experiments where experiments.id = near.id offset 0) as found`;
