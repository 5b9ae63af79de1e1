/**
 * Connections to PostgreSQL. `Db` reads and writes; what must be atomic asks for `Tx`, so that calling it outside a
 * transaction does not compile.
 */
import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database as Tables } from './tables.ts';
import { openStreams, type Streams } from './stream.ts';
import { columnTypes } from './column-types.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** As the connections of workers are called, so that whoever looks at the database sees that one is there. */
export const workerApplication = 'milepost worker';

export interface Database {
  db: Db;
  /** Long lists read here, so that slow readers never take the connections of others. */
  streams: Streams;
  pool: pg.Pool;
  close: () => Promise<void>;
}

export interface DatabaseOptions {
  databaseUrl: string;
  /** What the database shows of its connections; `milepost` unless told. */
  applicationName?: string;
  poolSize: number;
  streamPoolSize: number;
  /** How long the reader of a stream may pause. */
  streamPauseSeconds: number;
  /** A connection that broke while it was idle. It is replaced by itself; somebody should know. */
  onError: (error: Error) => void;
  /** Unless told, 3 s to connect, 5 s for a statement and 2 s of them for a lock. */
  patience?: Patience;
}

/** How long the database may take, in milliseconds. */
export interface Patience {
  connectMs: number;
  statementMs: number;
  lockMs: number;
}

const mostNames = 1000;
export const usualPatience: Patience = { connectMs: 3000, statementMs: 5000, lockMs: 2000 };
/** The database ends a statement by itself. A link that is dead without a word is given up a moment later. */
const silenceMs = 250;
const limitsOf = ({ connectMs, statementMs, lockMs }: Patience) => ({
  connectionTimeoutMillis: connectMs,
  statement_timeout: statementMs,
  query_timeout: statementMs + silenceMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: 10_000,
});
const longStatementMs = 120_000;
const allowLong = `select set_config('statement_timeout', '${longStatementMs}', true), set_config('lock_timeout', '20s', true)`;

/**
 * For what may take long, such as an import, until the end of its transaction: 120 s each statement. It waits longer for a
 * workflow than others do, as moves that share it one after the other let nobody in who wants it alone.
 */
export async function allowLongStatements(tx: Tx): Promise<void> {
  await sql.raw(allowLong).execute(tx);
}

export function openDatabase(options: DatabaseOptions): Database {
  // The pools do not wait for their connections to end; a database that ends next breaks some, and nobody need know.
  let closing = false;
  const onError = (error: Error) => {
    if (!closing) options.onError(error);
  };
  const open = (max: number, more: pg.PoolConfig) => {
    const pool = new pg.Pool({
      connectionString: options.databaseUrl,
      application_name: options.applicationName ?? 'milepost',
      options: '-c TimeZone=UTC',
      types: columnTypes,
      keepAlive: true,
      max,
      ...more,
    });
    pool.on('error', onError);
    // The pool listens only to idle connections. One that breaks between two statements of a transaction must not end
    // the process: the next statement on it fails, and that is enough.
    pool.on('connect', (client) => client.on('error', onError));
    return pool;
  };
  const limits = limitsOf(options.patience ?? usualPatience);
  const pool = open(options.poolSize, limits);
  // A reader may pause longer than a transaction may idle elsewhere; http/send.ts gives it up before this does.
  const streamPool = open(options.streamPoolSize, {
    ...limits,
    idle_in_transaction_session_timeout: (options.streamPauseSeconds + 30) * 1000,
  });
  const db = named(pool, limits.query_timeout);
  const close = async () => {
    closing = true;
    await Promise.all([db.destroy(), streamPool.end()]);
    // Kysely ends a pool that it has used. One that was asked only directly would hold its process for 10 s.
    if (!pool.ending) await pool.end();
  };
  return { db, streams: openStreams(streamPool, named(streamPool, limits.query_timeout)), pool, close };
}

const named = (pool: pg.Pool, usualMs: number): Db =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: namingPool(pool, usualMs) }) });

/**
 * Names each statement by its text, so that PostgreSQL parses and plans it once per connection: the long statements
 * of a move cost several times as much without. The number of names is bounded, as each stays for the connection's life.
 */
function namingPool(pool: pg.Pool, usualMs: number): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostNames) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
    return name;
  };
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const naming = wrapped.get(client) ?? namingClient(client, nameOf, usualMs);
      wrapped.set(client, naming);
      return naming;
    },
    end: () => pool.end(),
  };
}

function namingClient(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
  usualMs: number,
): PostgresPoolClient {
  let patienceMs = usualMs;
  /** Why the link was given up. Whatever is asked next, such as a rollback, would wait as long again. */
  let givenUp: unknown;
  const query = async (text: string, values: readonly unknown[] = []) => {
    if (givenUp !== undefined) throw givenUp;
    if (text === allowLong) patienceMs = longStatementMs + silenceMs;
    const asked = { name: nameOf(text), text, values: [...values], query_timeout: patienceMs };
    return client.query(asked).catch((error: unknown) => {
      if (isSilence(error)) givenUp = error;
      throw error;
    });
  };
  const release = (broken?: boolean) => {
    patienceMs = usualMs;
    client.release(broken === true || givenUp !== undefined);
  };
  const naming = { query, release };
  // Kysely's other form of `query` takes a cursor, which we never give it: streams are read by stream.ts.
  return naming as unknown as PostgresPoolClient;
}

/** The driver's words for an answer that did not come in time. */
const isSilence = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';
