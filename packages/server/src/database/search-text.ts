/**
 * Fills the search text of experiments that are older than its table, and indexes it with the extension pg_trgm. `milepost migrate` runs
 * this every time, so it also creates the index after the extension was installed. Without the extension, words match the beginning of
 * labels and external IDs only.
 */
import { DatabaseError, type Client } from 'pg';

/** Runs a statement on a pool or a client. */
type RunQuery = (sql: string) => Promise<{ rows: Record<string, unknown>[] }>;

const index = 'experiment_search_text_index';
const batch = 5000;

export async function installSearch(client: Client): Promise<void> {
  const { rows } = await client.query(`select from pg_class where oid = to_regclass('public.experiment_search')`);
  if (rows.length === 0) return;
  await fillSearch(client);
  await createExtension(client);
  await createIndex(client);
}

/** Triggers write the rows of later experiments. Each batch is a transaction. */
async function fillSearch(client: Client): Promise<void> {
  for (let after: string | null = '0'; after !== null;) {
    const { rows }: { rows: { last: string | null }[] } = await client.query(
      `with page as materialized (
         select id, cohort_id from experiments
         where id > $1 and not exists (select from experiment_search where experiment_id = experiments.id)
         order by id limit ${batch}
       ), filled as (
         insert into experiment_search (experiment_id, cohort_id, text)
         select id, cohort_id, experiment_search_text(id) from page order by id on conflict do nothing)
       select max(id)::text as last from page`,
      [after],
    );
    after = rows[0]?.last ?? null;
  }
}

/** Not available, not allowed. */
const expectedFailures = new Set(['58P01', '0A000', '42501']);

async function createExtension(client: Client): Promise<void> {
  try {
    await client.query('create extension if not exists pg_trgm');
  } catch (error) {
    if (!(error instanceof DatabaseError) || !expectedFailures.has(error.code ?? '')) throw error;
  }
}

/** An interrupted build leaves an invalid index. The build waits for open transactions, so it needs no lock timeout. */
async function createIndex(client: Client): Promise<void> {
  const { schema, valid } = await readState((text) => client.query(text));
  if (schema === null || valid === true) return;
  await client.query('set lock_timeout = 0');
  if (valid === false) await client.query(`drop index concurrently ${index}`);
  const operators = `${client.escapeIdentifier(schema)}.gin_trgm_ops`;
  await client.query(`create index concurrently ${index} on experiment_search using gin (text ${operators})`);
}

interface SearchState {
  /** The schema of the extension. */
  schema: string | null;
  available: boolean;
  /** Null without an index. */
  valid: boolean | null;
}

async function readState(query: RunQuery): Promise<SearchState> {
  const { rows } = await query(
    `select (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm') as schema,
       exists (select from pg_available_extensions where name = 'pg_trgm') as available,
       (select indisvalid from pg_index where indexrelid = to_regclass('public.${index}')) as valid`,
  );
  return rows[0] as unknown as SearchState;
}

export type SearchSupport = 'substrings' | 'no index' | 'not installed' | 'not available';

/** Works with the application role. */
export async function readSearchSupport(query: RunQuery): Promise<SearchSupport> {
  const { schema, available, valid } = await readState(query);
  if (valid === true) return 'substrings';
  if (schema !== null) return 'no index';
  return available ? 'not installed' : 'not available';
}
