/** Finds the rows of several parents, such as cohorts or states, in the order of their ids, through the index of each parent. */
import { sql, type RawBuilder } from 'kysely';
import { findStep, type FindStep, type StepRequest } from '../database/stepwise-list.ts';

/** Columns of one table, with an index on both. */
export interface ParentColumns {
  parent: string;
  id: string;
}

export const tableOf = ({ id }: ParentColumns) => sql.table(id.split('.', 1)[0] ?? '');

/** Per parent. With a higher limit, the planner would read all rows of the parents and sort them. */
export const rowsPerStep = 5000;

/** Merges pages of all parents. Each parent's index is scanned until its page is full. */
export const nextOfParents = (
  ids: readonly number[],
  columns: ParentColumns,
  { after, limit }: StepRequest,
): RawBuilder<{ id: number }> => {
  const [parent, id] = [sql.ref(columns.parent), sql.ref(columns.id)];
  return sql`
    select found.id from unnest(${[...ids]}::bigint[]) as parents (id) cross join lateral (
      select ${id} from ${tableOf(columns)}
      where (${parent}, ${id}) > (parents.id, ${after}) and ${parent} <= parents.id
      order by ${parent}, ${id} limit ${limit}) as found
    order by found.id limit ${limit}`;
};

export const findOfParents =
  (ids: readonly number[], columns: ParentColumns): FindStep =>
  (run, request) => {
    const limit = Math.min(request.limit, rowsPerStep);
    return findStep(run, nextOfParents(ids, columns, { ...request, limit }), limit);
  };
