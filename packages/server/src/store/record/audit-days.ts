/** How many entries of the audit log a day has, and how many of programs a search for people leaves out. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { isVisible, matchesFilter, type AuditFilter } from './audit-conditions.ts';
import { everything, findChain, readScan, scanOf } from './audit-scans.ts';
import { positionAt, slack, type HistoryScan, type PositionRange } from './audit-time-range.ts';
import { allCohorts } from '../scope.ts';

export interface DayCount {
  count: number;
  is_exact: boolean;
}

export interface AuditDay {
  day: string;
  entries: DayCount;
  hidden: DayCount;
}

const maxDays = 14;
const maxCount = 1000;
/** A count stops after so many entries of the day. */
const maxScanned = 2000;

/** The days of the entries, newest first. */
async function listDays(db: Db, ids: readonly number[], timeZone: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct (history.at at time zone ${timeZone})::date::text as day
    from history where history.id = any(${[...ids]}::bigint[]) order by day desc limit ${maxDays}`.execute(db);
  return rows.map(({ day }) => day);
}

interface Day {
  day: string;
  /** The period of the day that the filter includes. */
  from: string;
  to: string;
  range: PositionRange;
}

/** A day has 23 to 25 hours. Entries a minute before and after it are examined, too, as in a search. */
async function findRanges(
  db: Db,
  scan: HistoryScan,
  { from, to }: AuditFilter,
  { days, timeZone }: { days: readonly string[]; timeZone: string },
): Promise<Day[]> {
  const { rows } = await sql<Omit<Day, 'range'> & { first: number | null; after: number | null }>`
    select period.day, period.since as "from", period.until as "to", low.position as first, high.position as after
    from (
      select given.day, given.place, greatest(given.day::date::timestamp at time zone ${timeZone}, ${from ?? null}) as since,
        least((given.day::date + 1)::timestamp at time zone ${timeZone}, ${to ?? null}) as until
      from unnest(${[...days]}::text[]) with ordinality as given (day, place)) as period
    left join lateral (${positionAt(scan, sql`period.since - ${slack}`)}) as low on true
    left join lateral (${positionAt(scan, sql`period.until + ${slack}`)}) as high on true
    order by period.place`.execute(db);
  return rows.map(({ first, after, ...day }) => ({ ...day, range: { from: first ?? 0, below: after ?? 0 } }));
}

interface CountRow {
  read: number;
  matched: number;
}

const nothing = sql`select 0 as read, 0 as matched`;

/** For users with access to all cohorts. For others, whether a count is exact would depend on the entries of other cohorts. */
export async function countAuditDays(
  db: Db,
  filter: AuditFilter,
  { ids, timeZone }: { ids: readonly number[]; timeZone: string },
): Promise<AuditDay[]> {
  const days = ids.length === 0 ? [] : await listDays(db, ids, timeZone);
  if (days.length === 0) return [];
  const chain = await findChain(db, filter);
  const ranges = await findRanges(db, chain ? scanOf(chain, filter, true) : everything, filter, { days, timeZone });
  const counts = ranges.flatMap((day) => {
    // Without the times of the day, so that the same parts of changes are left out as in the list.
    const count = (by: AuditFilter['by']) => {
      const wanted = { ...filter, ...(by && { by }) };
      return countSql(day, readScan(scanOf(chain, wanted, true), day.range, maxScanned), [
        matchesFilter(wanted, true),
        isVisible(allCohorts),
      ]);
    };
    return [count(filter.by), filter.by === 'people' ? count('programs') : nothing];
  });
  const { rows } = await sql<CountRow>`
    select counted.* from (${sql.join(counts.map(numbered), sql` union all `)}) as counted order by counted.place`.execute(
    db,
  );
  return ranges.map(({ day }, index) => ({
    day,
    entries: countOf(rows[2 * index]),
    hidden: countOf(rows[2 * index + 1]),
  }));
}

const numbered = (count: RawBuilder<unknown>, place: number) =>
  sql`select ${sql.lit(place)} as place, one.read::int, one.matched::int from (${count}) as one`;

const countSql = ({ from, to }: Day, scan: RawBuilder<unknown>, conditions: RawBuilder<unknown>[]) => sql`
  select count(*) as read, count(*) filter (
    where entry.at >= ${from}::timestamptz and entry.at < ${to}::timestamptz and ${sql.join(conditions, sql` and `)}) as matched
  from (${scan}) as entry`;

const countOf = (row: CountRow = { read: 0, matched: 0 }): DayCount => ({
  count: Math.min(row.matched, maxCount),
  is_exact: row.matched <= maxCount && row.read < maxScanned,
});
