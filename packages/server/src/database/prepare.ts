/**
 * Statements whose text does not depend on their values. Such a statement is built and compiled once, and an execution only reads its
 * values from the arguments. Building a long statement takes as much time in Node.js as sending it.
 */
import { CompiledQuery, sql, type RawBuilder } from 'kysely';
import type { Db } from './connection.ts';

/** A parameter that each execution reads from its arguments. */
class Argument<A> {
  readonly of: (values: A) => unknown;
  constructor(of: (values: A) => unknown) {
    this.of = of;
  }
}

export type Bind<A> = (of: (values: A) => unknown) => RawBuilder<unknown>;

export type Prepared<A, R> = (db: Db, values: A) => Promise<R[]>;

export function prepare<A, R>(build: (bind: Bind<A>) => RawBuilder<R>): Prepared<A, R> {
  let compiled: CompiledQuery<R> | undefined;
  return async (db, values) => {
    compiled ??= build((of) => sql.val(new Argument(of))).compile(db);
    const parameters = compiled.parameters.map((one) => (one instanceof Argument ? (one.of(values) as unknown) : one));
    const { rows } = await db.executeQuery<R>(CompiledQuery.raw(compiled.sql, parameters) as CompiledQuery<R>);
    return rows;
  };
}

/** A column of values with its type in PostgreSQL. JSON is passed as text. */
export interface Column<R> {
  type: string;
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
        of: (row) => {
          const found = part(row);
          return found === undefined ? null : (of(found) ?? null);
        },
      },
    ]),
  );

/**
 * A query that returns the given rows with their positions and the time: an array for each column, or the values themselves if there
 * is always one row, which is faster.
 */
export function rowsOf<A, R>(
  bind: Bind<A>,
  columns: Columns<R>,
  rows: (values: A) => readonly R[],
  { one }: { one: boolean },
): RawBuilder<unknown> {
  const all = Object.entries(columns);
  if (one) {
    const value = ([name, { type, of }]: [string, Column<R>]) =>
      sql`${bind((values) => of(rows(values)[0] as R) ?? null)}::${sql.raw(type)} as ${sql.ref(name)}`;
    return sql`select ${sql.join(all.map(value))}, 1 as position, clock_timestamp() as now`;
  }
  const array = ([, { type, of }]: [string, Column<R>]) =>
    sql`${bind((values) => rows(values).map((row) => of(row) ?? null))}::${sql.raw(type)}[]`;
  const names = [...all.map(([name]) => name), 'position'].map((name) => sql.ref(name));
  return sql`
    select given.*, (select clock_timestamp()) as now
    from unnest(${sql.join(all.map(array))}) with ordinality as given (${sql.join(names)})`;
}
