/** Checkpoints of the history, and what of it none has signed yet. */
import { sql } from 'kysely';
import type { Checkpoint, Head } from '../chain/sign-checkpoint.ts';
import type { Db, Tx } from '../database/connection.ts';

/** Everything up to here, in the order of (xid, id), is signed. */
export interface SignedUpTo {
  xid: string;
  id: number;
}

export interface LastCheckpoint extends SignedUpTo {
  number: number;
  hash: string;
}

/** One at a time: those who come meanwhile need not wait, as the one before them does what they would have done. */
export async function lockCheckpoints(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('checkpoints')) as locked`.execute(tx);
  return rows[0]?.locked === true;
}

export async function findLastCheckpoint(db: Db): Promise<LastCheckpoint | undefined> {
  const { rows } = await sql<LastCheckpoint & { ahead: boolean }>`
    select checkpoints.number, encode(checkpoints.hash, 'hex') as hash, checkpoints.up_to_xid::text as xid,
      checkpoints.up_to_id as id, checkpoints.up_to_xid >= pg_snapshot_xmax(pg_current_snapshot()) as ahead
    from checkpoints order by checkpoints.number desc limit 1`.execute(db);
  // Whatever is written here would seem to be signed already.
  if (rows[0]?.ahead)
    throw new Error('The last checkpoint is of another PostgreSQL cluster: see docs/operations/history.md.');
  return rows[0];
}

export interface Unsigned {
  at: string;
  upTo: SignedUpTo;
  heads: Head[];
  /** Whether there may be more. */
  full: boolean;
}

interface Row {
  at: string;
  chain: string;
  chain_id: number;
  sequence: number;
  hash: string;
  entries: number;
  xid: string;
  id: number;
}

/**
 * The last entries of chains among the next so many entries, of transactions older than the oldest one still running: nothing
 * can come before them any more.
 */
export async function readUnsigned(db: Db, { xid, id }: SignedUpTo, limit: number): Promise<Unsigned | undefined> {
  const { rows } = await sql<Row>`
    with page as materialized (
      select history.xid, history.id, history.chain, history.chain_id, history.sequence, history.hash from history
      where (history.xid, history.id) > (${xid}::xid8, ${id}::bigint)
        and history.xid < pg_snapshot_xmin(pg_current_snapshot())
      order by history.xid, history.id limit ${limit}),
    last as (select page.xid, page.id from page order by page.xid desc, page.id desc limit 1)
    select distinct on (page.chain, page.chain_id)
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, page.chain, page.chain_id,
      page.sequence, encode(page.hash, 'hex') as hash, (select count(*) from page) as entries, last.xid::text as xid, last.id
    from page cross join last
    order by page.chain, page.chain_id, page.sequence desc`.execute(db);
  const [first] = rows;
  if (!first) return undefined;
  return {
    at: first.at,
    upTo: { xid: first.xid, id: first.id },
    heads: rows.map((row) => [row.chain, row.chain_id, row.sequence, row.hash]),
    full: first.entries === limit,
  };
}

export async function insertCheckpoint(tx: Tx, checkpoint: Checkpoint, upTo: SignedUpTo): Promise<void> {
  await tx
    .insertInto('checkpoints')
    .values({
      ...checkpoint,
      up_to_xid: upTo.xid,
      up_to_id: upTo.id,
      hash: Buffer.from(checkpoint.hash, 'hex'),
      signature: Buffer.from(checkpoint.signature, 'hex'),
    })
    .execute();
}

const pageSize = 100;

/** All of them, in order. */
export async function* readCheckpoints(db: Db): AsyncGenerator<Checkpoint> {
  let after = 0;
  for (;;) {
    const { rows } = await sql<Checkpoint>`
      select checkpoints.number, to_char(checkpoints.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
        checkpoints.heads, checkpoints.key_id, encode(checkpoints.hash, 'hex') as hash,
        encode(checkpoints.signature, 'hex') as signature
      from checkpoints where checkpoints.number > ${after} order by checkpoints.number limit ${pageSize}`.execute(db);
    yield* rows;
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.number ?? after;
  }
}

export type ShownCheckpoint = Pick<Checkpoint, 'number' | 'at' | 'key_id' | 'hash'>;

/** Newest first, without what they signed, which may be long. */
export async function listCheckpoints(
  db: Db,
  { before, limit }: { before: number; limit: number },
): Promise<ShownCheckpoint[]> {
  const { rows } = await sql<ShownCheckpoint>`
    select checkpoints.number, checkpoints.at, checkpoints.key_id, encode(checkpoints.hash, 'hex') as hash
    from checkpoints where checkpoints.number < ${before} order by checkpoints.number desc limit ${limit}`.execute(db);
  return rows;
}

/** How far the history is signed. */
export interface Signing {
  /** When the last checkpoint was signed; null without one. */
  last: string | null;
  /** It is of another cluster, whose numbers of transactions are ahead of these. */
  ahead: boolean;
  /** When the first entry was written that no checkpoint has signed; null where all are. */
  unsignedSince: string | null;
  /** How long ago that is; 0 where all are signed. */
  unsignedMinutes: number;
}

export async function readSigning(db: Db): Promise<Signing> {
  const { rows } = await sql<Signing>`
    select last.at as last, coalesce(last.up_to_xid >= pg_snapshot_xmax(pg_current_snapshot()), false) as ahead,
      unsigned.at as "unsignedSince",
      coalesce(extract(epoch from now() - unsigned.at) / 60, 0)::float8 as "unsignedMinutes"
    from (values (1)) as one
    left join lateral (
      select checkpoints.at, checkpoints.up_to_xid, checkpoints.up_to_id from checkpoints
      order by checkpoints.number desc limit 1) as last on true
    left join lateral (
      select history.at from history
      where (history.xid, history.id) > (coalesce(last.up_to_xid, '0'::xid8), coalesce(last.up_to_id, 0))
      order by history.xid, history.id limit 1) as unsigned on true`.execute(db);
  return rows[0] ?? { last: null, ahead: false, unsignedSince: null, unsignedMinutes: 0 };
}
