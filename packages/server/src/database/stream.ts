/**
 * Reads results of any length in constant memory, with DECLARE CURSOR and FETCH in a read-only transaction. The driver's own
 * cursors would hit statement_timeout when the reader is slow. Here each FETCH is a separate statement.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import type pg from 'pg';
import { Problem } from '../errors.ts';
import type { Database as Tables } from './tables.ts';

type Db = Kysely<Tables>;

export const rowsPerBatch = 500;

export interface Streams {
  /** Batches of rows from one snapshot. */
  inSnapshot: <R>(reading: ReadBatches<R>) => AsyncGenerator<R[], void>;
  /** Results of a function that reads pages, each from its own snapshot. */
  readPages: <T>(read: (db: Db) => AsyncIterable<T>) => AsyncGenerator<T, void>;
  active: () => number;
}

export interface Statement<T> {
  compile: (db: Db) => CompiledQuery<T>;
}

export type Run = <T>(statement: Statement<T>) => Promise<T[]>;

export interface Snapshot {
  /** Runs one statement and holds its rows in memory. */
  run: Run;
  /** Reads a query of any length in batches. At most one per snapshot. */
  read: <R>(statement: Statement<R>) => AsyncGenerator<R[], void>;
}

export type ReadBatches<R> = (snapshot: Snapshot) => AsyncGenerator<R[], void>;

/** A list in order, without the skipped rows. */
export interface Ordered<R> {
  /** The first rows, and the id of the last of them if there are more. */
  first: (run: Run, limit: number) => Promise<{ rows: R[]; next: number | undefined }>;
  /** The id of the last of the first `limit` rows, if there are more. */
  next: (run: Run, limit: number) => Promise<number | undefined>;
  read: (snapshot: Snapshot, limit: number | undefined) => AsyncGenerator<R[], void>;
}

/** `db` uses the same pool. At most as many readers run at once as it has connections, so none of them waits. */
export function openStreams(pool: pg.Pool, db: Db): Streams {
  let active = 0;
  async function* limited<T>(reading: () => AsyncIterable<T>): AsyncGenerator<T, void> {
    if (active >= pool.options.max) throw tooManyReaders();
    active += 1;
    try {
      yield* reading();
    } finally {
      active -= 1;
    }
  }
  return {
    inSnapshot: (reading) => limited(() => readInSnapshot(pool, db, reading)),
    readPages: <T>(read: (pages: Db) => AsyncIterable<T>) => limited(() => read(db)),
    active: () => active,
  };
}

async function* readInSnapshot<R>(pool: pg.Pool, db: Db, reading: ReadBatches<R>) {
  const client = await pool.connect();
  // An abandoned stream closes its connection. A rollback could wait for the query that is still running.
  let finished = false;
  try {
    await client.query('begin isolation level repeatable read read only');
    for await (const batch of reading(snapshotOf(client, db))) {
      yield batch;
      // The driver keeps a reference to its results until a full garbage collection. Emptying the array frees the rows.
      batch.length = 0;
    }
    await client.query('commit');
    finished = true;
  } finally {
    client.release(!finished);
  }
}

function snapshotOf(client: pg.PoolClient, db: Db): Snapshot {
  const run: Run = async (statement) => {
    const { sql, parameters } = statement.compile(db);
    return (await client.query(sql, [...parameters])).rows;
  };
  async function* read<R>(statement: Statement<R>) {
    const { sql, parameters } = statement.compile(db);
    const fetch = async () => (await client.query(`fetch ${rowsPerBatch} from long_list`)).rows as R[];
    await client.query(`declare long_list no scroll cursor for ${sql}`, [...parameters]);
    for (let batch = await fetch(); batch.length > 0; batch = await fetch()) yield batch;
  }
  return { run, read };
}

const tooManyReaders = () =>
  new Problem(
    'busy',
    'Too many long lists are being read at once. Try again in 5 seconds, or request pages with `limit`.',
    {
      retryAfterSeconds: 5,
    },
  );
