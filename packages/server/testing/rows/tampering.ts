/**
 * Ways in which a superuser of the database could tamper with the history. Each changes one entry in the middle of a chain, and a
 * verification must report that entry.
 */
import { sql } from 'kysely';
import type { Position } from '../../src/chain/verify-history.ts';
import type { Tx } from '../../src/database/connection.ts';

export interface Tampering {
  what: string;
  tamper: (tx: Tx, at: Position) => Promise<unknown>;
}

const where = ({ chain, chain_id, sequence }: Position) =>
  sql`history.chain = ${chain} and history.chain_id = ${chain_id} and history.sequence = ${sequence}`;

const change = (what: string, set: string): Tampering => ({
  what,
  tamper: (tx, at) => sql`update history set ${sql.raw(set)} where ${where(at)}`.execute(tx),
});

/** Moves entries far away first and then back, because the index never allows two entries with the same number. */
async function shift(tx: Tx, { chain, chain_id, sequence }: Position, by: number): Promise<void> {
  const rest = sql`history.chain = ${chain} and history.chain_id = ${chain_id} and history.sequence`;
  await sql`update history set sequence = history.sequence + 1000000 where ${rest} >= ${sequence}`.execute(tx);
  await sql`update history set sequence = history.sequence - 1000000 + ${by}::int where ${rest} > 1000000`.execute(tx);
}

const copied = sql`actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason, chain, chain_id,
  sequence, hash`;

async function insertCopy(tx: Tx, at: Position): Promise<void> {
  await shift(tx, at, 1);
  await sql`set local session_replication_role = replica`.execute(tx);
  await sql`insert into history (${copied}) select actor_kind, actor_id, request_id, operation, object_kind, object_id, before,
      after, reason, chain, chain_id, sequence - 1, hash
    from history where ${where({ ...at, sequence: at.sequence + 1 })}`.execute(tx);
}

async function swap(tx: Tx, at: Position): Promise<void> {
  const next = { ...at, sequence: at.sequence + 1 };
  await sql`update history set sequence = -1 where ${where(at)}`.execute(tx);
  await sql`update history set sequence = ${at.sequence} where ${where(next)}`.execute(tx);
  await sql`update history set sequence = ${next.sequence} where ${where({ ...at, sequence: -1 })}`.execute(tx);
}

/** Detectable from the entries of the chain alone. */
export const tamperings: readonly Tampering[] = [
  change('a value changed', `after = coalesce(after, '{}') || '{"state": "elsewhere"}'`),
  change('the actor changed', `actor_kind = 'operator', actor_id = null, operation = 'other'`),
  change('the time changed', `at = at - interval '1 day'`),
  change('the object changed', 'object_id = object_id + 1'),
  {
    what: 'a row removed',
    tamper: (tx, at) => sql`delete from history where ${where(at)}`.execute(tx),
  },
  {
    what: 'a row removed and the gap closed',
    tamper: async (tx, at) => {
      await sql`delete from history where ${where(at)}`.execute(tx);
      await shift(tx, { ...at, sequence: at.sequence + 1 }, -1);
    },
  },
  { what: 'a row inserted', tamper: insertCopy },
  { what: 'two rows swapped', tamper: swap },
];

const values = (at: Position) => sql`history_values.history_id = (select history.id from history where ${where(at)})`;

/** For an entry with personal values whose next entry also has some. */
export const tamperingsWithValues: readonly Tampering[] = [
  {
    what: 'a personal value changed',
    tamper: (tx, at) => sql`update history_values set after = '{"text": "other"}' where ${values(at)}`.execute(tx),
  },
  {
    what: 'personal values swapped with those of another entry',
    tamper: async (tx, at) => {
      await sql`update history_values set history_id = -1 where ${values(at)}`.execute(tx);
      const next = { ...at, sequence: at.sequence + 1 };
      await sql`update history_values set history_id = (select history.id from history where ${where(at)})
        where ${values(next)}`.execute(tx);
      await sql`update history_values set history_id = (select history.id from history where ${where(next)})
        where history_id = -1`.execute(tx);
    },
  },
  {
    what: 'personal values removed',
    tamper: (tx, at) => sql`delete from history_values where ${values(at)}`.execute(tx),
  },
];

/** Rewrites the chain from a changed entry to its end with hashes of the database, so that the chain is consistent. */
export async function recomputeChain(tx: Tx, at: Position): Promise<void> {
  await sql`create temporary table rewritten on commit drop as
    select * from history where chain = ${at.chain} and chain_id = ${at.chain_id} and sequence >= ${at.sequence}`.execute(
    tx,
  );
  await sql`delete from history where chain = ${at.chain} and chain_id = ${at.chain_id} and sequence >= ${at.sequence}`.execute(
    tx,
  );
  await sql`delete from history_values where history_id in (select id from rewritten)`.execute(tx);
  await sql`insert into history (id, at, actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after)
    overriding system value
    select id, at, actor_kind, actor_id, request_id, 'other', object_kind, object_id, before, after
    from rewritten order by sequence`.execute(tx);
}

export async function cutTail(tx: Tx, at: Position): Promise<void> {
  await sql`delete from history where chain = ${at.chain} and chain_id = ${at.chain_id} and sequence >= ${at.sequence}`.execute(
    tx,
  );
}
