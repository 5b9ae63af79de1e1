/**
 * Reads a query of any length in constant memory: DECLARE CURSOR and FETCH in a read-only transaction of its own. A
 * cursor of the driver would be cancelled by statement_timeout when the reader is slow; here each FETCH is a statement.
 */
import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { Problem } from '../errors.ts';

const rowsPerFetch = 500;

export interface Streams {
  /** The rows in batches. `before` runs first, in the same snapshot. */
  read: <R>(query: CompiledQuery<R>, before?: (run: Run) => Promise<void>) => AsyncGenerator<R[], void>;
  active: () => number;
}

/** Runs one statement in the snapshot of the stream. */
export type Run = <T>(query: CompiledQuery<T>) => Promise<T[]>;

export function openStreams(pool: pg.Pool): Streams {
  let active = 0;
  async function* read<R>(query: CompiledQuery<R>, before?: (run: Run) => Promise<void>) {
    if (active >= pool.options.max) throw tooMany();
    active += 1;
    try {
      yield* readCursor<R>(await pool.connect(), query, before);
    } finally {
      active -= 1;
    }
  }
  return { read, active: () => active };
}

async function* readCursor<R>(client: pg.PoolClient, query: CompiledQuery<R>, before?: (run: Run) => Promise<void>) {
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
