/**
 * Reads a query of any length in constant memory: DECLARE CURSOR and FETCH in a read-only transaction of its own. A
 * cursor of the driver would be cancelled by statement_timeout when the reader is slow; here each FETCH is a statement.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import type pg from 'pg';
import { Problem } from '../errors.ts';
import type { Database as Tables } from './tables.ts';

type Db = Kysely<Tables>;

const rowsPerFetch = 500;

export interface Streams {
  /** The rows in batches. `before` runs first, in the same snapshot. */
  read: <R>(query: CompiledQuery<R>, before?: (run: Run) => Promise<void>) => AsyncGenerator<R[], void>;
  /** What a reading by pages yields: as long as it takes, each page at a moment of its own. */
  readPages: <T>(read: (db: Db) => AsyncIterable<T>) => AsyncGenerator<T, void>;
  active: () => number;
}

/** Runs one statement in the snapshot of the stream. */
export type Run = <T>(query: CompiledQuery<T>) => Promise<T[]>;

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
    read: <R>(query: CompiledQuery<R>, before?: (run: Run) => Promise<void>) =>
      counted(() => readCursor<R>(pool, query, before)),
    readPages: <T>(read: (pages: Db) => AsyncIterable<T>) => counted(() => read(db)),
    active: () => active,
  };
}

async function* readCursor<R>(pool: pg.Pool, query: CompiledQuery<R>, before?: (run: Run) => Promise<void>) {
  const client = await pool.connect();
  // A stream that is left in the middle gives its connection up: rolling back could wait for the very query it left.
  let finished = false;
  const run: Run = async ({ sql, parameters }) => (await client.query(sql, [...parameters])).rows;
  const fetch = async () => (await client.query(`fetch ${rowsPerFetch} from long_list`)).rows as R[];
  try {
    await client.query('begin isolation level repeatable read read only');
    await before?.(run);
    await client.query(`declare long_list no scroll cursor for ${query.sql}`, [...query.parameters]);
    for (let batch = await fetch(); batch.length > 0; batch = await fetch()) {
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

const tooMany = () =>
  new Problem(
    'busy',
    'Too many long lists are being read at once. Try again in a moment, or ask for pages with `limit`.',
    {
      retryAfterSeconds: 5,
    },
  );
