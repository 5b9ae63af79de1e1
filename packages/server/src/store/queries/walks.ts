/** Walks along an index of experiments, in the order of a page, from any key. */
import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '../scope.ts';
import { inBounds, labelMatches } from './match-query.ts';
import type { ResolvedQuery } from './resolve-query.ts';

export interface Cursor {
  key: string;
  id: number;
}

export interface WalkRequest {
  isDescending: boolean;
  after: Cursor | undefined;
  query: ResolvedQuery;
  scope: Scope;
  sizes: Sizes;
  /** The ids that indexes list for terms, in ascending order. These terms are not part of the query. */
  listed: readonly number[] | undefined;
}

/** How many experiments have the states or cohorts of a term, or are in the scope, and the states with decisions if a term names these. */
export interface Sizes {
  state: number;
  cohort: number;
  deciding: number[];
}

export interface Walk {
  /** At most `limit` rows in the order of the page: experiments, or `id` and `key` of some. */
  near: (limit: number) => RawBuilder<unknown>;
  /** The buffers that a row takes. */
  buffersOfRow: number;
  /** Whether some rows of each parent are read and merged, so that more rows are read than returned. */
  parents?: number;
  /** Only for rows that are not experiments: a condition on them, as `near`, and on the experiment of each. */
  ofIds?: { filter: RawBuilder<boolean>; isCurrent: RawBuilder<boolean> };
  /** Only for rows that are experiments, if not all of them belong to the order. */
  ofOrder?: { filter: RawBuilder<boolean>; key: RawBuilder<unknown> };
}

/** Rows of an index can each be on a page of their own. Neighbours share pages, except those that moved. */
export const scattered = 1;
export const neighbouring = 0.35;
export const ofSubject = 2;
/** In the index alone, or in the order in which they were written. */
export const dense = 0.03;

export const order = (isDescending: boolean, ...columns: RawBuilder<unknown>[]) => {
  const direction = isDescending ? sql`desc` : sql`asc`;
  return sql.join(columns.map((column) => sql`${column} ${direction}`));
};
export const beyond = (isDescending: boolean) => (isDescending ? sql`<` : sql`>`);

const endOfIds = { asc: '0', desc: '9223372036854775807' };
export const endOf = (isDescending: boolean) => endOfIds[isDescending ? 'desc' : 'asc'];
export const idAfter = ({ isDescending, after }: Pick<WalkRequest, 'isDescending' | 'after'>) =>
  after?.id ?? endOf(isDescending);

/** Names both columns of an index, so that the planner uses it and starts at the cursor. */
export const within = (
  column: RawBuilder<unknown>,
  parent: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  isDescending: boolean,
) =>
  sql<boolean>`(${column}, experiments.id) ${beyond(isDescending)} (${parent}, ${id})
    and ${column} ${isDescending ? sql`>=` : sql`<=`} ${parent}`;

export const experimentsBy =
  (where: RawBuilder<unknown>, orderBy: RawBuilder<unknown>, columns = sql`experiments.*`) =>
  (limit: number): RawBuilder<unknown> =>
    sql`select ${columns} from experiments where ${where} order by ${orderBy} limit ${sql.lit(limit)}`;

/** The ids of a term that names states, workflows or cohorts and is not negated. */
export const idsNamed = ({ terms }: ResolvedQuery, name: 'state' | 'cohort' | 'workflow') =>
  terms.flatMap(({ term, condition }) =>
    !term.negated && condition.kind === 'name' && condition.name === name ? [condition.ids] : [],
  );

export const label = sql`lower(experiments.label)`;

/** Conditions of terms with one value, so that the walk starts there. */
const labelsNamed = ({ terms }: ResolvedQuery, name: 'label' | 'subject', column: string) =>
  terms.flatMap(({ term, condition }) =>
    !term.negated && condition.kind === 'text' && condition.name === name && condition.values.length === 1
      ? [labelMatches(column, condition.values)]
      : [],
  );

export function byLabel({ isDescending, after, query }: WalkRequest): Walk {
  const start = after
    ? sql`(${label}, experiments.id) ${beyond(isDescending)} (${after.key}, ${after.id}::bigint)`
    : sql`true`;
  const where = sql.join([start, ...labelsNamed(query, 'label', 'experiments.label')], sql` and `);
  return {
    near: experimentsBy(where, order(isDescending, label, sql`experiments.id`)),
    buffersOfRow: scattered,
  };
}

const subject = sql`lower(subjects.label)`;

/** Those of one subject after the other. Subjects of several cohorts can have the same label. */
export function bySubject({ isDescending, after, query }: WalkRequest): Walk {
  const start = after
    ? sql`${subject} ${isDescending ? sql`<=` : sql`>=`} ${after.key}
        and (${subject}, found.id) ${beyond(isDescending)} (${after.key}, ${after.id}::bigint)`
    : sql`true`;
  const where = sql.join([start, ...labelsNamed(query, 'subject', 'subjects.label')], sql` and `);
  return {
    near: (limit) => sql`select found.* from subjects cross join lateral (
        select experiments.* from experiments where experiments.subject_id = subjects.id offset 0) as found
      where ${where} order by ${order(isDescending, subject, sql`found.id`)} limit ${sql.lit(limit)}`,
    buffersOfRow: ofSubject,
  };
}

export const noDate = (isDescending: boolean) => (isDescending ? '-infinity' : 'infinity');

/** The dates of a term with one range. */
const datesNamed = ({ terms }: ResolvedQuery) =>
  terms.flatMap(({ term, condition }) =>
    !term.negated && condition.kind === 'dates' && condition.name === 'scanned' && condition.anyOf.length === 1
      ? [inBounds(sql`experiments.scandate`, 'timestamp', condition.anyOf)]
      : [],
  );

/** Those without a date follow in the order of their ids. They are read only if there are too few with a date. */
export function byScanDate(request: WalkRequest): Walk {
  const { isDescending, after, query } = request;
  const isPast = after?.key === noDate(isDescending);
  const [date, id] = [sql`experiments.scandate`, sql`experiments.id`];
  const start = after
    ? sql`(${date}, ${id}) ${beyond(isDescending)} (${after.key}::timestamp, ${after.id}::bigint)`
    : sql`true`;
  const named = datesNamed(query);
  const dated = experimentsBy(
    sql.join([sql`${date} is not null`, start, ...named], sql` and `),
    order(isDescending, date, id),
  );
  if (named.length > 0) return { near: dated, buffersOfRow: scattered };
  const others = { ...request, after: isPast ? after : undefined };
  const undated = experimentsBy(sql`${id} ${beyond(isDescending)} ${idAfter(others)}::bigint`, order(isDescending, id));
  // Those with a date are read again and left out, so that few rows are read even if none lacks a date.
  const both = (limit: number) => sql`
    ${isPast ? sql`` : sql`select dated.*, false as follows from (${dated(limit)}) as dated union all`}
    select others.*, true as follows from (${undated(limit)}) as others`;
  return {
    near: (limit) => sql`select * from (${both(limit)}) as experiments limit ${sql.lit(limit)}`,
    buffersOfRow: scattered,
    ofOrder: {
      filter: sql<boolean>`(${date} is null or not experiments.follows)`,
      key: sql`case when experiments.follows then ${noDate(isDescending)}::timestamp else ${date} end`,
    },
  };
}

/** In the order of workflows, and of the states in their files. */
export const stateKey = sql`(lpad(states.workflow_id::text, 12, '0') || lpad(states.position::text, 8, '0')
  || lpad(states.id::text, 12, '0')) collate "C"`;

export function byState(request: WalkRequest): Walk {
  const { isDescending, after, query } = request;
  const named = [
    ...idsNamed(query, 'state').map((ids) => sql`states.id = any(${ids}::bigint[])`),
    ...idsNamed(query, 'workflow').map((ids) => sql`states.workflow_id = any(${ids}::bigint[])`),
    after ? sql`${stateKey} ${isDescending ? sql`<=` : sql`>=`} ${after.key}` : sql`true`,
  ];
  const first = sql`${endOf(isDescending)}::bigint`;
  const id = after ? sql`case when places.key = ${after.key} then ${after.id}::bigint else ${first} end` : first;
  const where = within(sql`experiments.state_id`, sql`places.id`, id, isDescending);
  const rows = experimentsBy(where, order(isDescending, sql`experiments.state_id`, sql`experiments.id`));
  return {
    near: (limit) => sql`select found.* from (
        select states.id, ${stateKey} as key from states where ${sql.join(named, sql` and `)}
        order by 2 ${isDescending ? sql`desc` : sql`asc`} offset 0) as places
      cross join lateral (${rows(limit)}) as found limit ${sql.lit(limit)}`,
    buffersOfRow: scattered,
  };
}

const common = (lists: readonly (readonly number[])[]): number[] | undefined =>
  lists.length === 0 ? undefined : [...new Set(lists[0])].filter((id) => lists.every((list) => list.includes(id)));

/** The states in which all found experiments are, if the query says so. */
export const statesOf = ({ query, sizes: { deciding } }: Pick<WalkRequest, 'query' | 'sizes'>) =>
  common([...idsNamed(query, 'state'), ...(isDeciding(query) ? [deciding] : [])]);
/** The cohorts in which all found experiments are. */
export const cohortsOf = ({ query, scope }: Pick<WalkRequest, 'query' | 'scope'>) =>
  common([...idsNamed(query, 'cohort'), ...(scope.kind === 'all' ? [] : [scope.ids])]);

export const isDeciding = ({ terms }: ResolvedQuery) =>
  terms.some(({ term, condition }) => !term.negated && condition.kind === 'choice' && condition.name === 'decision');
