/**
 * Reads a query of any length in constant memory: DECLARE CURSOR and FETCH in a read-only transaction of its own. A
 * cursor of the driver would be cancelled by statement_timeout when the reader is slow; here each FETCH is a statement.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import type pg from 'pg';
import { Problem } from '../errors.ts';
import type { Database as Tables } from './tables.ts';

type Db = Kysely<Tables>;

export const rowsPerBatch = 500;

export interface Streams {
  /** Rows in batches, however they are found: all of one snapshot. */
  inSnapshot: <R>(reading: Reading<R>) => AsyncGenerator<R[], void>;
  /** What a reading by pages yields: as long as it takes, each page at a moment of its own. */
  readPages: <T>(read: (db: Db) => AsyncIterable<T>) => AsyncGenerator<T, void>;
  active: () => number;
}

/** What the query builder makes, of its parts or of text. */
export interface Statement<T> {
  compile: (db: Db) => CompiledQuery<T>;
}

export type Run = <T>(statement: Statement<T>) => Promise<T[]>;

export interface Snapshot {
  /** One statement, whose rows are held in memory. */
  run: Run;
  /** A query of any length, in batches. One in each snapshot. */
  read: <R>(statement: Statement<R>) => AsyncGenerator<R[], void>;
}

export type Reading<R> = (snapshot: Snapshot) => AsyncGenerator<R[], void>;

/** A list, behind the rows that are skipped. */
export interface Ordered<R> {
  /** Its first rows, and the id of the last of them if there are more. */
  beginning: (run: Run, most: number) => Promise<{ rows: R[]; next: number | undefined }>;
  /** The id of the last of so many rows, if there are more. */
  next: (run: Run, limit: number) => Promise<number | undefined>;
  read: (snapshot: Snapshot, limit: number | undefined) => AsyncGenerator<R[], void>;
}

/** `db` takes its connections from the same pool: as many may read at once as it has, so that none waits for one. */
export function openStreams(pool: pg.Pool, db: Db): Streams {
  let active = 0;
  async function* counted<T>(reading: () => AsyncIterable<T>): AsyncGenerator<T, void> {
    if (active >= pool.options.max) throw tooMany();
    active += 1;
    try {
      yield* reading();
    } finally {
      active -= 1;
    }
  }
  return {
    inSnapshot: (reading) => counted(() => readInSnapshot(pool, db, reading)),
    readPages: <T>(read: (pages: Db) => AsyncIterable<T>) => counted(() => read(db)),
    active: () => active,
  };
}

async function* readInSnapshot<R>(pool: pg.Pool, db: Db, reading: Reading<R>) {
  const client = await pool.connect();
  // A stream that is left in the middle gives its connection up: rolling back could wait for the very query it left.
  let finished = false;
  try {
    await client.query('begin isolation level repeatable read read only');
    for await (const batch of reading(snapshotOf(client, db))) {
      yield batch;
      // Emptied, because the driver's results stay linked until a full collection, and would keep their rows so long.
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

const tooMany = () =>
  new Problem(
    'busy',
    'Too many long lists are being read at once. Try again in a moment, or ask for pages with `limit`.',
    {
      retryAfterSeconds: 5,
    },
  );
