/**
 * Connections to PostgreSQL. Functions that must be atomic take a `Tx` instead of a `Db`, so calling them outside a
 * transaction does not compile.
 */
import { createHash } from 'node:crypto';
import {
  Kysely,
  PostgresDialect,
  sql,
  type CompiledQuery,
  type PostgresPool,
  type PostgresPoolClient,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import { Histogram } from 'prom-client';
import type { Database as Tables } from './tables.ts';
import { openStreams, type Streams } from './stream.ts';
import { columnTypes } from './column-types.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** The application name of worker connections. `milepost doctor` uses it to detect running workers. */
export const workerApplication = 'milepost worker';

export interface Database {
  db: Db;
  /** Long lists and event streams use their own pool, so their readers never use up the connections of other requests. */
  streams: Streams;
  pool: pg.Pool;
  /** How long statements and transactions of `db` waited for a connection. */
  connectSeconds: Histogram;
  close: () => Promise<void>;
}

export interface DatabaseOptions {
  databaseUrl: string;
  /** The application name of the connections. Default: `milepost`. */
  applicationName?: string;
  poolSize: number;
  streamPoolSize: number;
  /** Called when a connection breaks. The pool replaces it. */
  onError: (error: Error) => void;
  /** How long a statement can take. */
  statementSeconds: number;
  /** Overrides the timeouts that follow from `statementSeconds`. */
  timeouts?: Partial<Timeouts>;
}

/** Time limits for the database, in milliseconds. */
export interface Timeouts {
  connectMs: number;
  statementMs: number;
  lockMs: number;
}

const maxNames = 1000;
/** The default of 5 s allows 3 s to connect, and 2 s to wait for a lock. */
export const timeoutsFor = (statementSeconds: number): Timeouts => ({
  connectMs: statementSeconds * 600,
  statementMs: statementSeconds * 1000,
  lockMs: statementSeconds * 400,
});
/** The database cancels slow statements itself. If it sends nothing for this much longer, the connection is dead. */
export const responseGraceMs = 250;
const limitsOf = ({ connectMs, statementMs, lockMs }: Timeouts) => ({
  connectionTimeoutMillis: connectMs,
  statement_timeout: statementMs,
  query_timeout: statementMs + responseGraceMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: 10_000,
});
const longStatementMs = 120_000;
const allowLong = `select set_config('statement_timeout', '${longStatementMs}', true), set_config('lock_timeout', '20s', true)`;

/**
 * Allows 120 s per statement until the end of the transaction, for long operations such as an import. It also waits longer
 * for locks, because a steady stream of moves that share a workflow's lock delays an exclusive lock.
 */
export async function allowLongStatements(tx: Tx): Promise<void> {
  await sql.raw(allowLong).execute(tx);
}

export function openDatabase(options: DatabaseOptions): Database {
  // The pools do not wait for their connections to close. Errors of connections that break during shutdown are expected.
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
    // The pool only listens to idle connections. Without a listener, a connection that breaks between two statements of a
    // transaction would crash the process. The next statement on it fails anyway.
    pool.on('connect', (client) => client.on('error', onError));
    return pool;
  };
  const limits = limitsOf({ ...timeoutsFor(options.statementSeconds), ...options.timeouts });
  const pool = open(options.poolSize, limits);
  // Many readers share few connections.
  const streamPool = open(options.streamPoolSize, {
    ...limits,
    connectionTimeoutMillis: limits.connectionTimeoutMillis * 10,
  });
  const connectSeconds = createConnectSeconds();
  const db = createDb(pool, limits.query_timeout, connectSeconds);
  const streamDb = createDb(streamPool, limits.query_timeout);
  const close = async () => {
    closing = true;
    await Promise.all([db.destroy(), streamDb.destroy()]);
    // Kysely only ends a pool that it has used. An open pool would keep the process alive for 10 s.
    await Promise.all([pool, streamPool].filter((one) => !one.ending).map((one) => one.end()));
  };
  const streams = openStreams(streamDb, options.streamPoolSize, () => streamPool.waitingCount);
  return { db, streams, pool, connectSeconds, close };
}

const createConnectSeconds = () =>
  new Histogram({
    name: 'milepost_database_connect_seconds',
    help: 'Time that requests and jobs waited for a database connection, including those that got none.',
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 2, 3],
    registers: [],
  });

/** The pools of databases that are not transactions. */
const pools = new WeakMap<Db, PostgresPool>();

function createDb(pool: pg.Pool, defaultMs: number, connectSeconds?: Histogram): Db {
  const preparing = preparingPool(pool, defaultMs, connectSeconds);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing }) });
  pools.set(db, preparing);
  return db;
}

/** Runs a compiled statement. Outside a transaction, it skips the layers of Kysely. */
export async function runCompiled<R>(db: Db, statement: CompiledQuery<R>): Promise<R[]> {
  const pool = pools.get(db);
  if (!pool) return (await db.executeQuery(statement)).rows;
  const client = await pool.connect();
  try {
    return (await client.query<R>(statement.sql, statement.parameters)).rows;
  } finally {
    client.release();
  }
}

/**
 * Turns every query into a prepared statement, so that PostgreSQL parses and plans it once per connection. Without this,
 * the long statements of a move take several times as long. A name lives as long as its connection, so their number is limited.
 */
function preparingPool(pool: pg.Pool, defaultMs: number, connectSeconds?: Histogram): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxNames) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
    return name;
  };
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    async connect() {
      const start = performance.now();
      try {
        const client = await pool.connect();
        const known = wrapped.get(client);
        if (known) return known;
        const preparing = preparingClient(client, nameOf, defaultMs);
        wrapped.set(client, preparing);
        return preparing;
      } finally {
        connectSeconds?.observe((performance.now() - start) / 1000);
      }
    },
    end: () => pool.end(),
  };
}

interface NamedQuery extends pg.Query {
  name?: string | undefined;
  query_timeout?: number;
}

function preparingClient(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
  defaultMs: number,
): PostgresPoolClient {
  let timeoutMs = defaultMs;
  /** The read timeout after which the connection counts as dead. Later queries, such as a rollback, fail at once. */
  let readTimeout: unknown;
  const query = (text: string, values: readonly unknown[] = []) =>
    new Promise<unknown>((resolve, reject) => {
      if (readTimeout !== undefined) throw readTimeout;
      if (text === allowLong) timeoutMs = longStatementMs + responseGraceMs;
      const settle = (error: Error | null | undefined, result: unknown) => {
        if (isReadTimeout(error)) readTimeout = error;
        if (error) reject(error);
        else resolve(result);
      };
      // The driver would copy a configuration object property by property.
      const named: NamedQuery = new pg.Query(text, values as unknown[], settle);
      named.name = nameOf(text);
      named.query_timeout = timeoutMs;
      client.query(named);
    });
  const release = (broken?: boolean) => {
    timeoutMs = defaultMs;
    client.release(broken === true || readTimeout !== undefined);
  };
  const preparing = { query, release };
  // Kysely also calls `query` with a cursor to stream rows. stream.ts does that instead.
  return preparing as unknown as PostgresPoolClient;
}

/** The driver's error for a query without a response in time has no code. */
const isReadTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';
