/**
 * Searches the history, which can have several hundred million entries, newest first. A page scans the most selective index
 * for its filters, reads at most 10,000 entries and returns those that match. It takes the same time however rare matches are,
 * and returns where it stopped (docs/decisions/0028).
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { isVisible, matchesFilter, type AuditFilter } from './audit-conditions.ts';
import { everything, findChain, readLast, readScan, scanOf, type Chain } from './audit-scans.ts';
import { findTimeRange, type HistoryScan, type PositionRange } from './audit-time-range.ts';
import type { PageOfKeys } from '../screens/screen-page.ts';
import type { Scope } from '../scope.ts';

export interface AuditPage {
  /** Only entries before the one with this id. */
  before: number;
  limit: number;
  /** The maximum number of entries to read. */
  scanLimit: number;
}

export async function listAuditIds(db: Db, scope: Scope, filter: AuditFilter, page: AuditPage): Promise<PageOfKeys> {
  if (page.limit === 0) return { ids: [], next: () => undefined };
  const chain = await findChain(db, filter);
  const seesAll = scope.kind === 'all';
  const scan = scanOf(chain, filter, seesAll);
  const range = await findTimeRange(db, chain ? scan : everything, filter);
  const end = chain ? await positionIn(db, chain, page.before) : { position: page.before };
  const bounds = { ...range, below: Math.min(range.below, end.position) };
  const matches = sql`${matchesFilter(filter, seesAll)} and ${isVisible(scope)}${end.condition ?? sql``}`;
  const scanLimit = Math.min(page.scanLimit, Math.max(scan.scanLimit ?? page.scanLimit, page.limit + 1));
  return readKeys(db, scan, bounds, { ...page, scanLimit, matches });
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

interface MatchingPage extends AuditPage {
  matches: RawBuilder<unknown>;
}

/**
 * The scan ends when the page is full. If it is not full, the statement also returns where the scan stopped. Two statements
 * could see different entries.
 */
async function readKeys(
  db: Db,
  scan: HistoryScan,
  range: PositionRange,
  { matches, limit, scanLimit }: MatchingPage,
): Promise<PageOfKeys> {
  const { rows } = await sql<{ ids: number[]; stopped_at: number | null }>`
    with matching as materialized (
      select entry.id from (${readScan(scan, range, scanLimit)}) as entry where ${matches} limit ${limit + 1})
    select array(select matching.id from matching) as ids, case when (select count(*) from matching) <= ${limit} then (
      ${readLast(scan, range, scanLimit)}) end as stopped_at`.execute(db);
  const { ids, stopped_at: stoppedAt } = rows[0] ?? { ids: [], stopped_at: null };
  const shown = ids.slice(0, limit).map(Number);
  return { ids: shown, next: () => (ids.length > limit ? shown.at(-1) : (stoppedAt ?? undefined)) };
}
