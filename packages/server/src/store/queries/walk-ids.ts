/** Walks along experiments in the order of their ids, within those of a term or of the caller if an index has them in this order. */
import { sql, type RawBuilder } from 'kysely';
import { assignedTo, withIncident } from './query-sources.ts';
import {
  beyond,
  cohortsOf,
  dense,
  experimentsBy,
  idAfter,
  neighbouring,
  order,
  scattered,
  statesOf,
  within,
  type Walk,
  type WalkRequest,
} from './walks.ts';

/** The walk that is expected to take the fewest buffers. */
export function byId(request: WalkRequest): Walk {
  const attended = request.listed ? ofListed(request, request.listed) : ofAttended(request);
  if (attended) return attended;
  const { sizes } = request;
  const [states, cohorts] = [statesOf(request), cohortsOf(request)];
  const choices = [
    ...(states ? [{ walk: ofStates(request, states, cohorts), size: sizes.state }] : []),
    ...(cohorts ? [{ walk: ofParents(request, 'cohort', cohorts), size: sizes.cohort }] : []),
  ];
  const [best] = choices.toSorted((a, b) => a.size * a.walk.buffersOfRow - b.size * b.walk.buffersOfRow);
  return best?.walk ?? ofAll(request);
}

function ofAll(request: WalkRequest): Walk {
  const { isDescending } = request;
  const start = sql`experiments.id ${beyond(isDescending)} ${idAfter(request)}::bigint`;
  return { near: experimentsBy(start, order(isDescending, sql`experiments.id`)), buffersOfRow: neighbouring };
}

const everyOne = { filter: sql<boolean>`true`, isCurrent: sql<boolean>`true` };

function ofListed({ isDescending, after }: WalkRequest, listed: readonly number[]): Walk {
  const ids = listed.filter((id) => !after || (isDescending ? id < after.id : id > after.id));
  if (isDescending) ids.reverse();
  return {
    near: (limit) => sql`select given.id, given.id as key from unnest(${ids.slice(0, limit)}::bigint[]) as given (id)`,
    buffersOfRow: dense,
    ofIds: everyOne,
  };
}

/** Experiments with open incidents or with one assignee. */
function ofAttended(request: WalkRequest): Walk | undefined {
  const { isDescending, query } = request;
  const start = (column: string) =>
    sql<boolean>`${sql.ref(column)} ${beyond(isDescending)} ${idAfter(request)}::bigint`;
  for (const { term, condition } of query.terms) {
    if (term.negated || !('name' in condition)) continue;
    const ids =
      condition.kind === 'name' && condition.name === 'assigned' && !condition.orNobody && condition.ids.length === 1
        ? assignedTo(condition.ids, start('follow_ups.experiment_id'))
        : condition.kind === 'choice' && condition.name === 'incident' && !condition.values.includes('none')
          ? withIncident(condition.values, start('incidents.experiment_id'))
          : undefined;
    if (ids) return ordered(ids, isDescending);
  }
  return undefined;
}

/** An experiment can have several incidents. */
const ordered = (ids: RawBuilder<unknown>, isDescending: boolean): Walk => ({
  near: (limit) => sql`select distinct found.id, found.id as key from (${ids}) as found
    order by ${order(isDescending, sql`found.id`)} limit ${sql.lit(limit)}`,
  buffersOfRow: dense,
  ofIds: everyOne,
});

/** The index of states also has the cohort of each experiment. */
function ofStates(request: WalkRequest, states: readonly number[], cohorts: readonly number[] | undefined): Walk {
  if (!cohorts) return ofParents(request, 'state', states);
  const columns = sql`experiments.id, experiments.id as key, experiments.cohort_id`;
  const walk = ofParents(request, 'state', states, { columns, buffersOfRow: dense, more: between(cohorts) });
  const filter = sql<boolean>`near.cohort_id = any(${[...cohorts]}::bigint[])`;
  return { ...walk, ofIds: { filter, isCurrent: sql<boolean>`true` } };
}

/** From the first to the last experiment of the cohorts. Often a cohort was imported as a whole. */
function between(cohorts: readonly number[]): RawBuilder<unknown> {
  const end = (
    isLast: boolean,
  ) => sql`(select ${isLast ? sql`max` : sql`min`}(ends.id) from unnest(${[...cohorts]}::bigint[]) as own (id)
    cross join lateral (select experiments.id from experiments where experiments.cohort_id = own.id
      order by experiments.cohort_id ${isLast ? sql`desc` : sql`asc`}, experiments.id ${isLast ? sql`desc` : sql`asc`} limit 1) as ends)`;
  return sql`experiments.id between ${end(false)} and ${end(true)}`;
}

/** The first ones of each parent, merged. All of them are read if there are several. */
function ofParents(
  request: WalkRequest,
  name: 'state' | 'cohort',
  parents: readonly number[],
  { columns = sql`experiments.*`, buffersOfRow = scattered, more = sql`true` } = {},
): Walk {
  const { isDescending } = request;
  const column = sql.ref(`experiments.${name}_id`);
  const where = within(column, sql`parent.id`, sql`${idAfter(request)}::bigint`, isDescending);
  const rows = experimentsBy(sql`${where} and ${more}`, order(isDescending, column, sql`experiments.id`), columns);
  const near = (limit: number) => sql`select found.* from unnest(${[...parents]}::bigint[]) as parent (id)
    cross join lateral (${rows(limit)}) as found`;
  if (parents.length === 1) return { near: (limit) => sql`${near(limit)} limit ${sql.lit(limit)}`, buffersOfRow };
  return {
    near: (limit) => sql`${near(limit)} order by ${order(isDescending, sql`found.id`)} limit ${sql.lit(limit)}`,
    buffersOfRow,
    parents: Math.max(1, parents.length),
  };
}
