/** The history as whoever verifies it needs it: chain by chain, with what stands beside the chains. */
import { sql } from 'kysely';
import { isSameChain, type KeptEntry, type Position } from '../chain/kept-entry.ts';
import type { Db } from '../database/connection.ts';
import { inSnapshot } from '../database/transaction.ts';

type Row = Omit<KeptEntry, 'values'> & {
  has_values: boolean;
  values_before: string | null;
  values_after: string | null;
  values_reason: string | null;
};

const usualPage = 1000;

/** What an erasure changes at one moment, at both ends: read at two, it would look like a fault. They are of one person. */
const erasable = new Set(['experiment', 'subject']);

/**
 * Every entry, in pages of their own moments: what is added behind the reader belongs to the next reading. A chain that an
 * erasure may change is of one moment: one that the page cuts is left to the next page, and one that is longer is read whole.
 */
export async function* readChains(db: Db, pageSize = usualPage): AsyncGenerator<KeptEntry> {
  let from: Position = { chain: '', chain_id: 0, sequence: 0 };
  for (;;) {
    const page = await readPage(db, from, pageSize);
    const isEnd = page.length < pageSize;
    const whole = isEnd ? page : withoutCut(page);
    const entries = whole.length > 0 ? whole : await readLongChain(db, from, pageSize);
    yield* entries;
    const last = entries.at(-1);
    if (!last || isEnd) return;
    // What has been added to such a chain meanwhile may be the erasure.
    from = erasable.has(last.chain) ? { ...last, sequence: Number.MAX_SAFE_INTEGER } : last;
  }
}

function withoutCut(page: KeptEntry[]): KeptEntry[] {
  const last = page.at(-1);
  if (!last || !erasable.has(last.chain)) return page;
  return page.slice(0, page.findLastIndex((entry) => !isSameChain(entry, last)) + 1);
}

/** The chain that begins there. */
async function readLongChain(db: Db, from: Position, pageSize: number): Promise<KeptEntry[]> {
  // Inside a transaction, whoever began it has chosen what it sees.
  if (!db.isTransaction) return inSnapshot(db, (tx) => readLongChain(tx, from, pageSize));
  const entries: KeptEntry[] = [];
  for (;;) {
    const page = await readPage(db, entries.at(-1) ?? from, pageSize);
    const [first = page[0]] = entries;
    const more = page.filter((entry) => first && isSameChain(entry, first));
    entries.push(...more);
    if (more.length < pageSize) return entries;
  }
}

/** JSON is read as text, and times in one form: these very characters were hashed. */
async function readPage(db: Db, { chain, chain_id, sequence }: Position, limit: number): Promise<KeptEntry[]> {
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

const toEntry = ({ has_values, values_before, values_after, values_reason, ...entry }: Row): KeptEntry => ({
  ...entry,
  values: has_values ? { before: values_before, after: values_after, reason: values_reason } : null,
});

const experimentsAtOnce = 5000;

/** The first experiment whose state is not the one that its chain ends with. */
export async function findStrayState(
  db: Db,
): Promise<{ id: number; state_id: number; recorded: number | null } | undefined> {
  let after = 0;
  for (;;) {
    const { rows } = await sql<{ last: number | null; id: number | null; state_id: number; recorded: number | null }>`
      with page as materialized (
        select experiments.id, experiments.state_id, (
          select (history.after ->> 'state_id')::bigint from history
          where history.chain = 'experiment' and history.chain_id = experiments.id and history.after ? 'state_id'
          order by history.sequence desc limit 1) as recorded
        from experiments where experiments.id > ${after} order by experiments.id limit ${experimentsAtOnce})
      select (select max(page.id) from page) as last, stray.id, stray.state_id, stray.recorded
      from (select) as one left join (
        select page.* from page where page.recorded is distinct from page.state_id order by page.id limit 1) as stray on true`.execute(
      db,
    );
    const { last, id, state_id, recorded } = rows[0] ?? { last: null, id: null, state_id: 0, recorded: null };
    if (id !== null) return { id, state_id, recorded };
    if (last === null) return undefined;
    after = last;
  }
}
