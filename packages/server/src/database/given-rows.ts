/** Rows of values as a table of a prepared statement. */
import { sql, type RawBuilder } from 'kysely';
import type { Bind } from './prepare.ts';

const types = {
  bigint: { one: sql`bigint`, many: sql`bigint[]` },
  boolean: { one: sql`boolean`, many: sql`boolean[]` },
  bytea: { one: sql`bytea`, many: sql`bytea[]` },
  float: { one: sql`float`, many: sql`float[]` },
  integer: { one: sql`integer`, many: sql`integer[]` },
  jsonb: { one: sql`jsonb`, many: sql`jsonb[]` },
  text: { one: sql`text`, many: sql`text[]` },
  timestamp: { one: sql`timestamp`, many: sql`timestamp[]` },
};

export type ColumnType = keyof typeof types;

/**
 * An array whose length the planner does not see. Otherwise, the plan for the actual length looks cheaper than the plan for any length,
 * and PostgreSQL plans the statement at every execution, which takes longer than most of them.
 */
export const arrayOf = (values: unknown, type: ColumnType): RawBuilder<unknown> =>
  sql`(select ${values}::${types[type].many})::${types[type].many}`;

/** A column of values with its type in PostgreSQL. JSON is passed as text. */
export interface Column<R> {
  type: ColumnType;
  of: (row: R) => unknown;
}

export type Columns<R> = Readonly<Record<string, Column<R>>>;

/** The same columns of a part of each row. They are null in rows without that part. */
export const columnsOf = <R, P>(part: (row: R) => P | undefined, columns: Columns<P>): Columns<R> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { type, of }]) => [
      name,
      {
        type,
        of: (row: R) => {
          const found = part(row);
          return found === undefined ? null : (of(found) ?? null);
        },
      },
    ]),
  );

/**
 * A table of the statement with the given rows and their positions: an array for each column, or the values themselves if there is
 * always one row. PostgreSQL then puts the values where the columns are named and needs no table, which makes a short statement
 * noticeably faster.
 */
export function rowsOf<A, R>(
  name: string,
  bind: Bind<A>,
  columns: Columns<R>,
  rows: (values: A) => readonly R[],
  { one }: { one: boolean },
): RawBuilder<unknown> {
  const all = Object.entries(columns);
  if (one) {
    const value = ([column, { type, of }]: [string, Column<R>]) =>
      sql`${bind((values) => of(rows(values)[0] as R) ?? null)}::${types[type].one} as ${sql.ref(column)}`;
    return sql`${sql.id(name)} as not materialized (select ${sql.join(all.map(value))}, 1 as position)`;
  }
  const array = ([, { type, of }]: [string, Column<R>]) =>
    arrayOf(
      bind((values) => rows(values).map((row) => of(row) ?? null)),
      type,
    );
  const names = all.map(([column]) => sql.ref(column));
  return sql`${sql.id(name)} as materialized (
    select ${sql.join(names)}, given.position
    from rows from (unnest(${sql.join(all.map(array))}), ${expectHundredRows}) with ordinality as given (${sql.join(names)}, none, position))`;
}

/**
 * A function without rows, of which PostgreSQL expects 100. Of the arrays it expects ten, and would then compare each row of one table with
 * each row of the next instead of hashing them.
 */
const expectHundredRows = sql`jsonb_array_elements('[]')`;
