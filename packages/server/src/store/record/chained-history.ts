/** Reads the history for verification: chain by chain, with personal values and keys. */
import { sql } from 'kysely';
import { isSameChain, type StoredEntry, type Position } from '../../chain/stored-entry.ts';
import type { Db } from '../../database/connection.ts';
import { inSnapshot } from '../../database/transaction.ts';

type Row = Omit<StoredEntry, 'values'> & {
  has_values: boolean;
  values_before: string | null;
  values_after: string | null;
  values_reason: string | null;
};

const defaultPageSize = 1000;

/** Chains of one person. An erasure changes their beginning and end at once, so each is read from one snapshot. */
const erasable = new Set(['experiment', 'subject']);

/**
 * Reads every entry, each page from its own snapshot. A chain that an erasure can change is read from one snapshot: if a page
 * would cut it, it moves to the next page, and if it is longer than a page, it is read as a whole.
 */
export async function* readChains(db: Db, pageSize = defaultPageSize): AsyncGenerator<StoredEntry> {
  let from: Position = { chain: '', chain_id: 0, sequence: 0 };
  for (;;) {
    const page = await readPage(db, from, pageSize);
    const isEnd = page.length < pageSize;
    const whole = isEnd ? page : withoutCut(page);
    const entries = whole.length > 0 ? whole : await readLongChain(db, from, pageSize);
    yield* entries;
    const last = entries.at(-1);
    if (!last || isEnd) return;
    // Skips entries added to such a chain in the meantime, because they may record an erasure.
    from = erasable.has(last.chain) ? { ...last, sequence: Number.MAX_SAFE_INTEGER } : last;
  }
}

function withoutCut(page: StoredEntry[]): StoredEntry[] {
  const last = page.at(-1);
  if (!last || !erasable.has(last.chain)) return page;
  return page.slice(0, page.findLastIndex((entry) => !isSameChain(entry, last)) + 1);
}

/** Reads the whole chain that starts after `from`. */
async function readLongChain(db: Db, from: Position, pageSize: number): Promise<StoredEntry[]> {
  // Within a transaction, its isolation level applies.
  if (!db.isTransaction) return inSnapshot(db, (tx) => readLongChain(tx, from, pageSize));
  const entries: StoredEntry[] = [];
  for (;;) {
    const page = await readPage(db, entries.at(-1) ?? from, pageSize);
    const [first = page[0]] = entries;
    const more = page.filter((entry) => first && isSameChain(entry, first));
    entries.push(...more);
    if (more.length < pageSize) return entries;
  }
}

/** Reads JSON as text and times in a fixed format, because the hashes cover these exact characters. */
async function readPage(db: Db, { chain, chain_id, sequence }: Position, limit: number): Promise<StoredEntry[]> {
  const { rows } = await sql<Row>`
    select history.id, history.chain, history.chain_id, history.sequence,
      to_char(history.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, history.actor_kind, history.actor_id,
      history.request_id, history.operation, history.object_kind, history.object_id, history.before::text as before,
      history.after::text as after, history.reason, history.person, history.person_id,
      encode(history.values_hash, 'hex') as values_hash, encode(history.hash, 'hex') as hash,
      encode(personal_keys.key, 'hex') as key, history_values.history_id is not null as has_values,
      history_values.before::text as values_before, history_values.after::text as values_after,
      history_values.reason as values_reason
    from history
    left join history_values on history_values.history_id = history.id
    left join personal_keys on personal_keys.person = history.person and personal_keys.person_id = history.person_id
    where (history.chain, history.chain_id, history.sequence) > (${chain}, ${chain_id}::bigint, ${sequence}::bigint)
    order by history.chain, history.chain_id, history.sequence limit ${limit}`.execute(db);
  return rows.map(toEntry);
}

const toEntry = ({ has_values, values_before, values_after, values_reason, ...entry }: Row): StoredEntry => ({
  ...entry,
  values: has_values ? { before: values_before, after: values_after, reason: values_reason } : null,
});

const experimentsPerPage = 5000;

/** The first experiment whose state differs from the last state in its history. */
export async function findStateMismatch(
  db: Db,
  onPage: () => void,
): Promise<{ id: number; state_id: number; recorded: number | null } | undefined> {
  let after = 0;
  for (;;) {
    onPage();
    const { rows } = await sql<{ last: number | null; id: number | null; state_id: number; recorded: number | null }>`
      with page as materialized (
        select experiments.id, experiments.state_id, (
          select (history.after ->> 'state_id')::bigint from history
          where history.chain = 'experiment' and history.chain_id = experiments.id and history.after ? 'state_id'
          order by history.sequence desc limit 1) as recorded
        from experiments where experiments.id > ${after} order by experiments.id limit ${experimentsPerPage})
      select (select max(page.id) from page) as last, mismatch.id, mismatch.state_id, mismatch.recorded
      from (select) as one left join (
        select page.* from page where page.recorded is distinct from page.state_id order by page.id limit 1) as mismatch on true`.execute(
      db,
    );
    const { last, id, state_id, recorded } = rows[0] ?? { last: null, id: null, state_id: 0, recorded: null };
    if (id !== null) return { id, state_id, recorded };
    if (last === null) return undefined;
    after = last;
  }
}
