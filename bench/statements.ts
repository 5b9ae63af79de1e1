/**
 * Counts statements with pg_stat_statements. Counting slows PostgreSQL down, so it is switched on for a short phase of its own and
 * not while speed is measured.
 */
import { withClient } from '../packages/server/testing/postgres-server.ts';
import { query, type BenchDatabase } from './database.ts';

export interface Statements {
  /** Statements that clients of the application role sent. Each is a round trip: our driver does not send the next one earlier. */
  sent: number;
  /** These and the statements of their triggers and foreign keys. */
  all: number;
}

/** BENCH_STATEMENTS=10 prints the ten statements that took most time. */
const printed = Number(process.env['BENCH_STATEMENTS'] ?? 0);

/** Counts from 0 on, or stops counting. Existing connections follow before their next statement. */
export const trackStatements = (ownerUrl: string, track: 'all' | 'none'): Promise<void> =>
  query(
    ownerUrl,
    'create extension if not exists pg_stat_statements',
    `alter system set pg_stat_statements.track = '${track}'`,
    `alter system set pg_stat_statements.track_planning = ${track === 'all'}`,
    'select pg_reload_conf()',
    'select pg_stat_statements_reset()',
  );

export async function countStatements<T>(
  { ownerUrl }: BenchDatabase,
  run: () => Promise<T>,
): Promise<{ result: T; statements: Statements }> {
  await trackStatements(ownerUrl, 'all');
  const result = await run();
  const statements = await readCounts(ownerUrl);
  if (printed > 0) await printSlowest(ownerUrl);
  await trackStatements(ownerUrl, 'none');
  return { result, statements };
}

/** The buffers that statements of the application read, with those of their triggers. */
export async function buffersDuring({ ownerUrl }: BenchDatabase, run: () => Promise<unknown>): Promise<number> {
  await trackStatements(ownerUrl, 'all');
  await run();
  const buffers = await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ buffers: number }>(
      `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as buffers
       from pg_stat_statements where userid = 'bench'::regrole and toplevel`,
    );
    return rows[0]?.buffers ?? 0;
  });
  await trackStatements(ownerUrl, 'none');
  return buffers;
}

const readCounts = (url: string): Promise<Statements> =>
  withClient(url, async (client) => {
    // Foreign keys are checked as the owner of the tables.
    const { rows } = await client.query<Statements>(
      `select coalesce(sum(calls) filter (where toplevel), 0)::int as sent, coalesce(sum(calls), 0)::int as all
       from pg_stat_statements where userid = 'bench'::regrole or not toplevel`,
    );
    return rows[0] ?? { sent: 0, all: 0 };
  });

const printSlowest = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `select calls::int, round(total_exec_time)::int as ms, round(mean_exec_time::numeric, 3) as mean,
         plans::int, round(total_plan_time)::int as plan_ms,
         ((shared_blks_hit + shared_blks_read) / nullif(calls, 0))::int as blocks, toplevel,
         left(regexp_replace(query, '\\s+', ' ', 'g'), 100) as text
       from pg_stat_statements where userid = 'bench'::regrole or not toplevel order by total_exec_time + total_plan_time desc limit $1`,
      [printed],
    );
    console.table(rows);
  });
