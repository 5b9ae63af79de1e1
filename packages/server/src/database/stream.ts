/**
 * Reads lists of any length in constant memory, batch by batch. Each batch is a separate statement with its own short snapshot,
 * so a slow reader neither keeps a connection nor holds back vacuum (docs/decisions/0005).
 */
import type { CompiledQuery, Kysely } from 'kysely';
import { Problem } from '../errors.ts';
import type { Database as Tables } from './tables.ts';

type Db = Kysely<Tables>;

export const rowsPerBatch = 500;

export interface Streams {
  /** Passes on what `read` yields. It runs its statements on the connections for long lists. */
  read: <T>(read: (db: Db) => AsyncIterable<T>) => AsyncGenerator<T, void>;
  active: () => number;
  /** For the short reads of clients that stay connected, such as event streams. They are not counted as lists. */
  db: Db;
  /** Reads that wait for one of the connections. */
  waiting: () => number;
  /** Never rejects a reader. For lists in responses to changes, which are already saved. */
  unlimited: Streams;
}

export interface Statement<T> {
  compile: (db: Db) => CompiledQuery<T>;
}

/** Runs one statement and holds its rows in memory. */
export type Run = <T>(statement: Statement<T>) => Promise<T[]>;

export const runOn =
  (db: Db): Run =>
  async (statement) =>
    (await db.executeQuery(statement.compile(db))).rows;

/** A list in order, without the skipped rows. */
export interface Ordered<R> {
  /** The first rows, and the id of the last of them if there are more. */
  first: (run: Run, limit: number) => Promise<FirstRows<R>>;
  /** The id of the last of the first `limit` rows, if there are more. */
  next: (run: Run, limit: number) => Promise<number | undefined>;
  /** The rows of a range of ids in batches. */
  read: (run: Run, range: Range) => AsyncGenerator<R[], void>;
}

export interface FirstRows<R> {
  rows: R[];
  next: number | undefined;
}

export interface Range {
  after: number;
  /** Included. */
  last: number;
}

/** Readers share the connections. The limit is for the memory that each of them needs, about a megabyte. */
const readersPerConnection = 50;

export function openStreams(db: Db, connections: number, waiting: () => number): Streams {
  let active = 0;
  const limitedTo = (limit: number) =>
    async function* read<T>(reading: (db: Db) => AsyncIterable<T>): AsyncGenerator<T, void> {
      if (active >= limit) throw tooManyReaders();
      active += 1;
      try {
        yield* reading(db);
      } finally {
        active -= 1;
      }
    };
  const streams = (limit: number): Streams => ({
    read: limitedTo(limit),
    active: () => active,
    db,
    waiting,
    get unlimited() {
      return streams(Infinity);
    },
  });
  return streams(connections * readersPerConnection);
}

const tooManyReaders = () =>
  new Problem(
    'busy',
    'Too many long lists are being read at once. Try again in 5 seconds, or request pages with `limit`.',
    {
      retryAfterSeconds: 5,
    },
  );
