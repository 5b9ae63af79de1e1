/**
 * The orders of found experiments. Each has a key of a few bytes, and ids order equal keys. Those with a `walk` can be read along an index
 * from any key, so they need no sorting.
 */
import type { searchSorts } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '../scope.ts';
import type { ResolvedQuery } from './resolve-query.ts';

export type SortName = (typeof searchSorts)[number];

export interface Cursor {
  key: string;
  id: number;
}

export interface WalkRequest {
  isDescending: boolean;
  after: Cursor | undefined;
  query: ResolvedQuery;
  scope: Scope;
}

export interface Walk {
  /** At most `limit` rows of the index, in its order. */
  near: (limit: number) => RawBuilder<unknown>;
  /** The experiments of these rows in the same order. By default, the rows are experiments. */
  experimentsOf?: (near: RawBuilder<unknown>) => RawBuilder<unknown>;
}

export interface Sort {
  type: 'bigint' | 'text' | 'timestamp';
  key: (isDescending: boolean) => RawBuilder<unknown>;
  /** The longest time in a state belongs to the smallest key. */
  isReversed?: true;
  walk?: (request: WalkRequest) => Walk;
}

const order = (isDescending: boolean, ...columns: RawBuilder<unknown>[]) => {
  const direction = isDescending ? sql`desc` : sql`asc`;
  return sql.join(columns.map((column) => sql`${column} ${direction}`));
};
const beyond = (isDescending: boolean) => (isDescending ? sql`<` : sql`>`);

const endOfIds = { asc: '0', desc: '9223372036854775807' };
const idAfter = ({ isDescending, after }: WalkRequest) => after?.id ?? endOfIds[isDescending ? 'desc' : 'asc'];

/** Names both columns of an index, so that the planner uses it and starts at the cursor. */
const within = (
  column: RawBuilder<unknown>,
  parent: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  isDescending: boolean,
) =>
  sql<boolean>`(${column}, experiments.id) ${beyond(isDescending)} (${parent}, ${id})
    and ${column} ${isDescending ? sql`>=` : sql`<=`} ${parent}`;

const experimentsBy = (where: RawBuilder<unknown>, orderBy: RawBuilder<unknown>): Walk => ({
  near: (limit) =>
    sql`select experiments.* from experiments where ${where} order by ${orderBy} limit ${sql.lit(limit)}`,
});

/** The ids of a term that names states, workflows or cohorts and is not negated. */
const idsNamed = ({ terms }: ResolvedQuery, name: 'state' | 'cohort' | 'workflow') =>
  terms.flatMap(({ term, condition }) =>
    !term.negated && condition.kind === 'name' && condition.name === name ? [condition.ids] : [],
  );

/** Within a state or cohort if the query names one, and within the cohorts of the caller. */
function byId(request: WalkRequest): Walk {
  const { isDescending, query, scope } = request;
  const id = sql`${idAfter(request)}::bigint`;
  if (scope.kind === 'cohorts') return inCohorts(scope.ids, id, isDescending);
  for (const name of ['state', 'cohort'] as const) {
    const [parent, ...others] = idsNamed(query, name).find((ids) => ids.length === 1) ?? [];
    if (parent === undefined || others.length > 0) continue;
    const column = sql.ref(`experiments.${name}_id`);
    const where = within(column, sql`${parent}::bigint`, id, isDescending);
    return experimentsBy(where, order(isDescending, column, sql`experiments.id`));
  }
  return experimentsBy(sql`experiments.id ${beyond(isDescending)} ${id}`, order(isDescending, sql`experiments.id`));
}

/** The first ones of each cohort, merged. */
function inCohorts(cohorts: readonly number[], id: RawBuilder<unknown>, isDescending: boolean): Walk {
  const column = sql`experiments.cohort_id`;
  const where = within(column, sql`own.id`, id, isDescending);
  const rows = experimentsBy(where, order(isDescending, column, sql`experiments.id`));
  return {
    near: (limit) => sql`select found.* from unnest(${[...cohorts]}::bigint[]) as own (id)
      cross join lateral (${rows.near(limit)}) as found order by ${order(isDescending, sql`found.id`)} limit ${sql.lit(limit)}`,
  };
}

const label = sql`lower(experiments.label)`;

function byLabel({ isDescending, after }: WalkRequest): Walk {
  const start = after
    ? sql`(${label}, experiments.id) ${beyond(isDescending)} (${after.key}, ${after.id}::bigint)`
    : sql`true`;
  return experimentsBy(start, order(isDescending, label, sql`experiments.id`));
}

const noDate = (isDescending: boolean) => (isDescending ? '-infinity' : 'infinity');

/** Those without a date follow in the order of their ids. The second part is read only if the first has too few. */
function byScanDate(request: WalkRequest): Walk {
  const { isDescending, after } = request;
  const isPast = after?.key === noDate(isDescending);
  const [date, id] = [sql`experiments.scandate`, sql`experiments.id`];
  const start = after
    ? sql`(${date} ${beyond(isDescending)} ${after.key}::timestamp
        or (${date} = ${after.key}::timestamp and ${id} ${beyond(isDescending)} ${after.id}::bigint))
        and ${date} ${isDescending ? sql`<=` : sql`>=`} ${after.key}::timestamp`
    : sql`true`;
  const dated = experimentsBy(sql`${date} is not null and ${start}`, order(isDescending, date, id));
  const others = { ...request, after: isPast ? after : undefined };
  const undated = experimentsBy(
    sql`${date} is null and ${id} ${beyond(isDescending)} ${idAfter(others)}::bigint`,
    order(isDescending, id),
  );
  if (isPast) return undated;
  return {
    near: (limit) => sql`select * from (
      (${dated.near(limit)}) union all (${undated.near(limit)})) as experiments limit ${sql.lit(limit)}`,
  };
}

/** In the order of workflows, and of the states in their files. */
const stateKey = sql`(lpad(states.workflow_id::text, 12, '0') || lpad(states.position::text, 8, '0')
  || lpad(states.id::text, 12, '0')) collate "C"`;

function byState(request: WalkRequest): Walk {
  const { isDescending, after, query } = request;
  const named = [
    ...idsNamed(query, 'state').map((ids) => sql`states.id = any(${ids}::bigint[])`),
    ...idsNamed(query, 'workflow').map((ids) => sql`states.workflow_id = any(${ids}::bigint[])`),
    after ? sql`${stateKey} ${isDescending ? sql`<=` : sql`>=`} ${after.key}` : sql`true`,
  ];
  const first = sql`${endOfIds[isDescending ? 'desc' : 'asc']}::bigint`;
  const id = after ? sql`case when places.key = ${after.key} then ${after.id}::bigint else ${first} end` : first;
  const where = within(sql`experiments.state_id`, sql`places.id`, id, isDescending);
  const rows = experimentsBy(where, order(isDescending, sql`experiments.state_id`, sql`experiments.id`));
  return {
    near: (limit) => sql`select found.* from (
        select states.id, ${stateKey} as key from states where ${sql.join(named, sql` and `)}
        order by 2 ${isDescending ? sql`desc` : sql`asc`} offset 0) as places
      cross join lateral (${rows.near(limit)}) as found limit ${sql.lit(limit)}`,
  };
}

/** Actions in the order in which they were recorded. Those that another has followed are skipped. */
const byAction =
  (isCurrent: RawBuilder<boolean>) =>
  ({ isDescending, after }: WalkRequest): Walk => ({
    near: (limit) => sql`select actions.* from actions
      where actions.id ${beyond(isDescending)} ${after?.key ?? endOfIds[isDescending ? 'desc' : 'asc']}::bigint
      order by ${order(isDescending, sql`actions.id`)} limit ${sql.lit(limit)}`,
    experimentsOf: (near) => sql`select found.* from (${near}) as actions cross join lateral (
      select experiments.* from experiments where experiments.id = actions.experiment_id and ${isCurrent} offset 0) as found`,
  });

const isLatest = sql<boolean>`experiments.action_sequence = actions.sequence`;
const isEntry = sql<boolean>`actions.retry_of is null and not exists (
  select from actions as later where later.experiment_id = actions.experiment_id
    and later.sequence > actions.sequence and later.retry_of is null)`;

const latestAction = sql`coalesce((select actions.id from actions
  where actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence), 0)`;
const entryAction = sql`coalesce((select actions.id from actions
  where actions.experiment_id = experiments.id and actions.retry_of is null order by actions.sequence desc limit 1), 0)`;

const labelOf = (table: string, column: string) => () =>
  sql`(select ${sql.ref(`${table}.label`)} from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${sql.ref(column)})`;

export const sorts: Record<SortName, Sort> = {
  id: { type: 'bigint', key: () => sql`experiments.id`, walk: byId },
  label: { type: 'text', key: () => label, walk: byLabel },
  subject: {
    type: 'text',
    key: () => sql`(select lower(subjects.label) from subjects where subjects.id = experiments.subject_id)`,
  },
  cohort: { type: 'text', key: labelOf('cohorts', 'experiments.cohort_id') },
  workflow: { type: 'text', key: labelOf('workflows', 'experiments.workflow_id') },
  state: {
    type: 'text',
    key: () => sql`(select ${stateKey} from states where states.id = experiments.state_id)`,
    walk: byState,
  },
  scanned: {
    type: 'timestamp',
    key: (isDescending) => sql`coalesce(experiments.scandate, ${noDate(isDescending)}::timestamp)`,
    walk: byScanDate,
  },
  changed: { type: 'bigint', key: () => latestAction, walk: byAction(isLatest) },
  'in-state': { type: 'bigint', key: () => entryAction, isReversed: true, walk: byAction(isEntry) },
};
