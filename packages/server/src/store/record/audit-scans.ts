/** The index range that a search of the audit log reads: the most selective one for its filters (docs/decisions/0028). */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import {
  entryColumns,
  isNotOfOperation,
  omitsOperationParts,
  people,
  type AuditedKind,
  type AuditFilter,
} from './audit-conditions.ts';
import type { HistoryScan, PositionRange } from './audit-time-range.ts';

export interface Chain {
  chain: string;
  chain_id: number;
}

const sharedChains: Partial<Record<AuditedKind, string>> = {
  user: 'users',
  role: 'roles',
  workflow: 'workflows',
  callback: 'workflows',
  external_system: 'settings',
  scantype: 'settings',
};

/** The chain that contains all matches. Undefined if there is none or it is too long. */
export async function findChain(db: Db, filter: AuditFilter): Promise<Chain | undefined> {
  const { experiment_id, subject_id, cohort_id, object_kind, object_id } = filter;
  if (experiment_id !== undefined) return { chain: 'experiment', chain_id: experiment_id };
  if (cohort_id !== undefined) return { chain: 'cohort', chain_id: cohort_id };
  if (subject_id !== undefined) return undefined;
  const shared = object_kind && sharedChains[object_kind];
  if (object_id === undefined) return shared === undefined ? undefined : { chain: shared, chain_id: 0 };
  return shared === undefined && object_kind ? chainOfObject(db, object_kind, object_id) : undefined;
}

async function chainOfObject(db: Db, kind: AuditedKind, id: number): Promise<Chain> {
  if (kind === 'experiment' || kind === 'subject' || kind === 'cohort') return { chain: kind, chain_id: id };
  const { rows } = await sql<{ chain: string; chain_id: number | null }>`
    select chain, chain_id from history_chain_of(${kind}, ${id}::bigint)`.execute(db);
  // A missing object has no entries. Experiment chains never have the id 0.
  return { chain: 'experiment', chain_id: rows[0]?.chain_id ?? 0 };
}

export const everything: HistoryScan = { where: sql`true`, by: 'id' };

export const scanOf = (chain: Chain | undefined, filter: AuditFilter, seesAll: boolean): HistoryScan =>
  chain ? chainScan(chain) : idScan(filter, seesAll);

const chainScan = ({ chain, chain_id }: Chain): HistoryScan => ({
  where: sql`history.chain = ${chain} and history.chain_id = ${chain_id}`,
  by: 'sequence',
});

function idScan(filter: AuditFilter, seesAll: boolean): HistoryScan {
  const { actor, by, subject_id, object_kind, object_id } = filter;
  if (subject_id !== undefined) return subjectScan(subject_id);
  if (object_kind !== undefined && object_id !== undefined) {
    const where = sql`history.chain in ('users', 'roles', 'workflows', 'settings') and history.object_kind = ${object_kind}
      and history.object_id = ${object_id}`;
    return { where, by: 'id' };
  }
  // A bulk operation has up to 200,000 entries of one person.
  const more = omitsOperationParts(filter, seesAll) ? sql` and ${isNotOfOperation}` : sql``;
  if (actor !== undefined) return actorScan(oneUser(actor), more);
  return by === 'people' ? peopleScan(more) : everything;
}

/** The chains of a subject and its experiments. */
const subjectScan = (id: number): HistoryScan => ({
  across: sql`(select 'subject' as chain, ${id}::bigint as chain_id
    union all select 'experiment', experiments.id from experiments where experiments.subject_id = ${id}) as lane`,
  where: sql`history.chain = lane.chain and history.chain_id = lane.chain_id`,
  by: 'id',
  order: sql`history.sequence desc`,
});

/**
 * By a join, so that PostgreSQL does not know whose entries are read. For a user with many, it would scan all entries along the ids, because it
 * does not know how few of them the index without parts has.
 */
const actorScan = (users: RawBuilder<unknown>, more: RawBuilder<unknown>): HistoryScan => ({
  across: sql`${users} as lane`,
  where: sql`history.actor_kind = 'user' and history.actor_id = lane.id${more}`,
  by: 'id',
});

const oneUser = (id: number) => sql`(select users.id from users where users.id = ${id})`;

/** Automatic entries are far more than those of people, who have one index. So the newest of each person are merged. */
const peopleScan = (more: RawBuilder<unknown>): HistoryScan => ({
  ...actorScan(people, more),
  // Each page reads so many of each person.
  scanLimit: 500,
});

/** The next entries of the scan, newest first. */
export function readScan(scan: HistoryScan, { from, below }: PositionRange, limit: number): RawBuilder<unknown> {
  const key = sql.ref(`history.${scan.by}`);
  const range = sql`${scan.where} and ${key} >= ${from}::bigint and ${key} < ${below}::bigint`;
  if (!scan.across) return sql`select ${entryColumns} from history where ${range} order by ${key} desc limit ${limit}`;
  return sql`select found.* from ${scan.across} cross join lateral (
    select ${entryColumns} from history where ${range} order by ${scan.order ?? sql`${key} desc`} limit ${limit}) as found
    order by found.id desc limit ${limit}`;
}

/** Where the scan stops after so many entries. */
export function readLast(scan: HistoryScan, range: PositionRange, limit: number): RawBuilder<unknown> {
  if (scan.across) return sql`select found.id from (${readScan(scan, range, limit)}) as found offset ${limit - 1}`;
  const key = sql.ref(`history.${scan.by}`);
  return sql`select history.id from history
    where ${scan.where} and ${key} >= ${range.from}::bigint and ${key} < ${range.below}::bigint
    order by ${key} desc offset ${limit - 1} limit 1`;
}
