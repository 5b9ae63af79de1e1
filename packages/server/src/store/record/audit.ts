/**
 * Searches the history, which can have several hundred million entries, newest first. A page scans the most selective index
 * for its filters, reads at most 10,000 entries and returns those that match. It takes the same time however rare matches are,
 * and returns where it stopped (docs/decisions/0028).
 */
import type { auditedKinds } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { findTimeRange, type HistoryScan, type PositionRange } from './audit-time-range.ts';
import type { PageOfKeys } from '../screens/screen-page.ts';
import type { Scope } from '../scope.ts';

export type AuditedKind = (typeof auditedKinds)[number];

export interface AuditFilter {
  actor?: number;
  object_kind?: AuditedKind;
  object_id?: number;
  operation?: string;
  experiment_id?: number;
  subject_id?: number;
  cohort_id?: number;
  from?: string;
  to?: string;
}

export interface AuditPage {
  /** Only entries before the one with this id. */
  before: number;
  limit: number;
  /** The maximum number of entries to read. */
  scanLimit: number;
}

interface Chain {
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

export async function listAuditIds(db: Db, scope: Scope, filter: AuditFilter, page: AuditPage): Promise<PageOfKeys> {
  if (page.limit === 0) return { ids: [], next: () => undefined };
  const chain = await findChain(db, filter);
  const scan = chain ? chainScan(chain) : idScan(filter);
  const range = await findTimeRange(db, chain ? scan : everything, filter);
  const end = chain ? await positionIn(db, chain, page.before) : { position: page.before };
  const bounds = { ...range, below: Math.min(range.below, end.position) };
  const matches = sql`${matchesFilter(filter)} and ${isVisible(scope)}${end.condition ?? sql``}`;
  return readKeys(db, within(scan, bounds), { ...page, matches });
}

const everything: HistoryScan = { where: sql`true`, by: 'id' };

/** The chain that contains all matches. Undefined if there is none or it is too long. */
async function findChain(db: Db, filter: AuditFilter): Promise<Chain | undefined> {
  const { experiment_id, subject_id, cohort_id, object_kind, object_id } = filter;
  if (experiment_id !== undefined) return { chain: 'experiment', chain_id: experiment_id };
  if (subject_id !== undefined) return { chain: 'subject', chain_id: subject_id };
  if (cohort_id !== undefined) return { chain: 'cohort', chain_id: cohort_id };
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

const chainScan = ({ chain, chain_id }: Chain): HistoryScan => ({
  where: sql`history.chain = ${chain} and history.chain_id = ${chain_id}`,
  by: 'sequence',
});

function idScan({ actor, object_kind, object_id }: AuditFilter): HistoryScan {
  if (object_kind !== undefined && object_id !== undefined) {
    const where = sql`history.chain in ('users', 'roles', 'workflows', 'settings') and history.object_kind = ${object_kind}
      and history.object_id = ${object_id}`;
    return { where, by: 'id' };
  }
  if (actor === undefined) return everything;
  return { where: sql`history.actor_kind = 'user' and history.actor_id = ${actor}`, by: 'id' };
}

const first = Number.MAX_SAFE_INTEGER;

/**
 * The position of an entry in its chain. Ids are assigned before the writers of a chain are serialised, so their order can
 * differ from that of the chain. If the id is not in the chain, entries are filtered by id.
 */
async function positionIn(db: Db, { chain, chain_id }: Chain, before: number) {
  if (before === first) return { position: first };
  const { rows } = await sql<{ sequence: number }>`
    select history.sequence from history
    where history.id = ${before} and history.chain = ${chain} and history.chain_id = ${chain_id}`.execute(db);
  const sequence = rows[0]?.sequence;
  return sequence === undefined
    ? { position: first, condition: sql` and entry.id < ${before}` }
    : { position: sequence };
}

const within = ({ where, by }: HistoryScan, { from, below }: PositionRange): HistoryScan => {
  const key = sql.ref(`history.${by}`);
  return { where: sql`${where} and ${key} >= ${from}::bigint and ${key} < ${below}::bigint`, by };
};

const inChain = (chain: string, id: number) => sql`entry.chain = ${chain} and entry.chain_id = ${id}`;

function matchesFilter(filter: AuditFilter): RawBuilder<unknown> {
  const conditions = [
    filter.actor !== undefined && sql`entry.actor_kind = 'user' and entry.actor_id = ${filter.actor}`,
    filter.object_kind !== undefined && sql`entry.object_kind = ${filter.object_kind}`,
    filter.object_id !== undefined && sql`entry.object_id = ${filter.object_id}`,
    filter.operation !== undefined && sql`entry.operation = ${filter.operation}`,
    filter.experiment_id !== undefined && inChain('experiment', filter.experiment_id),
    filter.subject_id !== undefined && inChain('subject', filter.subject_id),
    filter.cohort_id !== undefined && inChain('cohort', filter.cohort_id),
    filter.from !== undefined && sql`entry.at >= ${filter.from}::timestamptz`,
    filter.to !== undefined && sql`entry.at < ${filter.to}::timestamptz`,
  ].filter((condition) => condition !== false);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** Entries that belong to no cohort are only visible with access to all cohorts. */
const isVisible = (scope: Scope): RawBuilder<unknown> =>
  scope.kind === 'all'
    ? sql`true`
    : sql`case entry.chain
        when 'experiment' then (select experiments.cohort_id from experiments where experiments.id = entry.chain_id)
        when 'subject' then (select subjects.cohort_id from subjects where subjects.id = entry.chain_id)
        when 'cohort' then entry.chain_id
      end = any(${[...scope.ids]}::bigint[])`;

interface MatchingPage extends AuditPage {
  matches: RawBuilder<unknown>;
}

/**
 * The scan ends when the page is full. If it is not full, the statement also returns where the scan stopped. Two statements
 * could see different entries.
 */
async function readKeys(
  db: Db,
  { where, by }: HistoryScan,
  { matches, limit, scanLimit }: MatchingPage,
): Promise<PageOfKeys> {
  const order = sql`order by ${sql.ref(`history.${by}`)} desc`;
  const { rows } = await sql<{ ids: number[]; stopped_at: number | null }>`
    with matching as materialized (
      select entry.id from (
        select history.id, history.at, history.actor_kind, history.actor_id, history.operation, history.object_kind,
          history.object_id, history.chain, history.chain_id
        from history where ${where} ${order} limit ${scanLimit}) as entry
      where ${matches} limit ${limit + 1})
    select array(select matching.id from matching) as ids, case when (select count(*) from matching) <= ${limit} then (
      select history.id from history where ${where} ${order} offset ${scanLimit - 1} limit 1) end as stopped_at`.execute(
    db,
  );
  const { ids, stopped_at: stoppedAt } = rows[0] ?? { ids: [], stopped_at: null };
  const shown = ids.slice(0, limit).map(Number);
  return { ids: shown, next: () => (ids.length > limit ? shown.at(-1) : (stoppedAt ?? undefined)) };
}
