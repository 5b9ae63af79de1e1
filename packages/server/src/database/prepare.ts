/**
 * Statements whose text does not depend on their values. They are built and compiled at their first execution, and every execution
 * only reads its values. Building and compiling a query takes about 50 µs, as much as everything else that Node does for a short
 * statement.
 */
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import { runCompiled, type Db } from './connection.ts';

/** A query builder or an `sql` template. */
interface Statement<R> {
  compile: (db: Db) => CompiledQuery<R>;
}

export type Prepared<V, R> = (db: Db, values: V) => Promise<R[]>;

/** Stands for a part of the values while the statement is built. */
export type Bind<V> = (of: (values: V) => unknown) => RawBuilder<unknown>;

class Placeholder<V> {
  readonly of: (values: V) => unknown;
  constructor(of: (values: V) => unknown) {
    this.of = of;
  }
}

export function prepare<V, R>(build: (bind: Bind<V>, db: Db) => Statement<R>): Prepared<V, R> {
  let statement: CompiledQuery<R> | undefined;
  return (db, values) => {
    statement ??= build((of) => sql.val(new Placeholder(of)), db).compile(db);
    const { sql: text, query, queryId } = statement;
    const parameters = statement.parameters.map((one) => (one instanceof Placeholder ? one.of(values) : one));
    return runCompiled(db, { sql: text, query, queryId, parameters });
  };
}

/** Stands for the values by their names. */
export type Given<V> = { readonly [N in keyof V & string]: RawBuilder<V[N]> };

/**
 * The same with a name for each value. If the text has several shapes, `build` also receives the name of the shape. Each shape is
 * compiled once, so there must be few.
 */
export function compileOnce<V extends object, R, S extends string = ''>(
  build: (db: Db, given: Given<V>, shape: S) => Statement<R>,
): (db: Db, values: V, ...shape: S extends '' ? [] : [S]) => Promise<R[]> {
  const shapes = new Map<string | undefined, Prepared<V, R>>();
  return (db, values, shape?: string) => {
    const known = shapes.get(shape) ?? prepare<V, R>((bind, first) => build(first, byName(bind), shape as S));
    shapes.set(shape, known);
    return known(db, values);
  };
}

const byName = <V>(bind: Bind<V>) =>
  new Proxy({} as Given<V>, { get: (_, name) => bind((values) => values[name as keyof V]) });
