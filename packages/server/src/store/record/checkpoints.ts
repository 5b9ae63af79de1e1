/** Reads and writes checkpoints, and reads history entries that are not signed yet. */
import { sql } from 'kysely';
import type { Checkpoint, Head } from '../../chain/sign-checkpoint.ts';
import type { Db, Tx } from '../../database/connection.ts';

/**
 * Everything up to here, ordered by (xid, id), is signed. Entries up to `afterId` were written in another database cluster with
 * its own transaction ids and are all signed.
 */
export interface SignedUpTo {
  xid: string;
  id: number;
  afterId: number;
}

export interface LastCheckpoint extends SignedUpTo {
  number: number;
  hash: string;
  /** Signed in another cluster, so its transaction id does not apply here. */
  fromOtherCluster: boolean;
}

/** Lets one worker sign at a time. Others need not wait, because it signs everything. */
export async function lockCheckpoints(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('checkpoints')) as locked`.execute(tx);
  return rows[0]?.locked === true;
}

/** For a checkpoint aliased as `last`. Also true if the cluster has the same identifier but older transaction ids. */
const fromOtherCluster = sql<boolean>`(last.cluster <> (pg_control_system()).system_identifier::text
  or last.up_to_xid >= pg_snapshot_xmax(pg_current_snapshot()))`;

export async function findLastCheckpoint(db: Db): Promise<LastCheckpoint | undefined> {
  const { rows } = await sql<LastCheckpoint>`
    select last.number, encode(last.hash, 'hex') as hash, last.up_to_xid::text as xid, last.up_to_id as id,
      last.after_id as "afterId", ${fromOtherCluster} as "fromOtherCluster"
    from checkpoints as last order by last.number desc limit 1`.execute(db);
  return rows[0];
}

export interface Unsigned {
  at: string;
  upTo: Pick<SignedUpTo, 'xid' | 'id'>;
  heads: Head[];
  /** Whether the page is full, so there may be more. */
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

const columns = sql`history.xid, history.id, history.chain, history.chain_id, history.sequence, history.hash`;

/**
 * The last entry of each chain among the next `limit` unsigned entries. Only includes transactions older than the oldest one
 * still running, so no earlier entry can appear later.
 */
export async function readUnsigned(db: Db, last: SignedUpTo, limit: number): Promise<Unsigned | undefined> {
  const { rows } = await sql<Row>`
    with page as materialized (
      select ${columns} from history
      where (history.xid, history.id) > (${last.xid}::xid8, ${last.id}::bigint) and history.id > ${last.afterId}::bigint
        and history.xid < pg_snapshot_xmin(pg_current_snapshot())
      order by history.xid, history.id limit ${limit}),
    end_of_page as (select page.xid, page.id from page order by page.xid desc, page.id desc limit 1)
    ${headsOfPage}`.execute(db);
  return unsignedOf(rows, limit);
}

/**
 * The same for the first checkpoints of a cluster that was restored from a dump of another one. Entries that the other cluster
 * had not signed are found by its transaction ids. Entries written here have higher ids. Reads by id, starting after `cursor`.
 */
export async function readUnsignedFromOtherCluster(
  db: Db,
  { last, cursor, limit }: { last: SignedUpTo; cursor: number; limit: number },
): Promise<Unsigned | undefined> {
  const { rows } = await sql<Row>`
    with page as materialized (
      (select ${columns} from history
        where history.id > greatest(${last.id}::bigint, ${cursor}::bigint) order by history.id limit ${limit})
      union all
      (select ${columns} from history
        where (history.xid, history.id) > (${last.xid}::xid8, ${last.id}::bigint)
          and history.id > greatest(${last.afterId}::bigint, ${cursor}::bigint) and history.id <= ${last.id}::bigint
        order by history.id limit ${limit})
      order by id limit ${limit}),
    end_of_page as (select page.xid, page.id from page order by page.id desc limit 1)
    ${headsOfPage}`.execute(db);
  return unsignedOf(rows, limit);
}

const headsOfPage = sql`
  select distinct on (page.chain, page.chain_id)
    to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, page.chain, page.chain_id,
    page.sequence, encode(page.hash, 'hex') as hash, (select count(*) from page) as entries,
    end_of_page.xid::text as xid, end_of_page.id
  from page cross join end_of_page
  order by page.chain, page.chain_id, page.sequence desc`;

function unsignedOf(rows: readonly Row[], limit: number): Unsigned | undefined {
  const [first] = rows;
  if (!first) return undefined;
  return {
    at: first.at,
    upTo: { xid: first.xid, id: first.id },
    heads: rows.map((row) => [row.chain, row.chain_id, row.sequence, row.hash]),
    full: first.entries === limit,
  };
}

/** The last transaction before the oldest one still running. It and all earlier ones have ended. */
export async function findSettledXid(db: Db): Promise<string> {
  const { rows } = await sql<{ xid: string }>`
    select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text as xid`.execute(db);
  return rows[0]?.xid ?? '0';
}

export async function insertCheckpoint(tx: Tx, checkpoint: Checkpoint, upTo: SignedUpTo): Promise<void> {
  await tx
    .insertInto('checkpoints')
    .values({
      ...checkpoint,
      up_to_xid: upTo.xid,
      up_to_id: upTo.id,
      after_id: upTo.afterId,
      hash: Buffer.from(checkpoint.hash, 'hex'),
      signature: Buffer.from(checkpoint.signature, 'hex'),
    })
    .execute();
}

/** Small, because the heads of one checkpoint can take a megabyte. */
const pageSize = 5;

/** Reads all checkpoints in order. */
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

/** Newest first, without the signed heads, which can be long. */
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
export interface SigningStatus {
  /** When the last checkpoint was signed. Null if there is none. */
  last: string | null;
  /** When the oldest unsigned entry was written. Null if there is none. */
  unsignedSince: string | null;
  /** How long ago that is. 0 if there is none. */
  unsignedMinutes: number;
}

/** Workers sign once a minute. After this time, something is wrong. */
export const maxUnsignedMinutes = 5;

export async function readSigningStatus(db: Db): Promise<SigningStatus> {
  const { rows } = await sql<SigningStatus>`
    select last.at as last, unsigned.at as "unsignedSince",
      coalesce(extract(epoch from now() - unsigned.at) / 60, 0)::float8 as "unsignedMinutes"
    from (values (1)) as one
    left join lateral (
      select last.at, last.up_to_xid, last.up_to_id, last.after_id, ${fromOtherCluster} as other_cluster from checkpoints as last
      order by last.number desc limit 1) as last on true
    left join lateral (
      (select history.at from history
        where (history.xid, history.id) > (coalesce(last.up_to_xid, '0'::xid8), coalesce(last.up_to_id, 0))
          and history.id > coalesce(last.after_id, 0)
          -- Higher transaction ids are from another cluster. They only count if the last checkpoint is from it, too.
          and history.xid < case when last.other_cluster then '18446744073709551615'::xid8
            else pg_snapshot_xmax(pg_current_snapshot()) end
        order by history.xid, history.id limit 1)
      union all
      (select history.at from history where last.other_cluster and history.id > last.up_to_id order by history.id limit 1)
      order by at limit 1) as unsigned on true`.execute(db);
  return rows[0] ?? { last: null, unsignedSince: null, unsignedMinutes: 0 };
}
