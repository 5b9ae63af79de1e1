/**
 * Finds the entries of the history between two times. Ids and times both increase, so a binary search over an existing index
 * finds the first entry of a time in about thirty steps. An index by time would slow down every move.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';

/** The entries to search and the column that orders them. */
export interface HistoryScan {
  where: RawBuilder<unknown>;
  by: 'id' | 'sequence';
  /** Several ranges that are merged by id: `where` compares with the columns of these rows. */
  across?: RawBuilder<unknown>;
  /** The order within each of them. Default: by id. */
  order?: RawBuilder<unknown>;
  /** A smaller number of entries per page. */
  scanLimit?: number;
}

/** The first position of the range, and the first one after it. */
export interface PositionRange {
  from: number;
  below: number;
}

/** Concurrent writers can get ids and times in different orders, and clocks can be adjusted. Each entry is checked exactly. */
export const slack = sql`interval '1 minute'`;

export async function findTimeRange(
  db: Db,
  scan: HistoryScan,
  { from, to }: { from?: string; to?: string },
): Promise<PositionRange> {
  return {
    from: from === undefined ? 0 : await findPosition(db, scan, sql`${from}::timestamptz - ${slack}`),
    below:
      to === undefined ? Number.MAX_SAFE_INTEGER : await findPosition(db, scan, sql`${to}::timestamptz + ${slack}`),
  };
}

async function findPosition(db: Db, scan: HistoryScan, time: RawBuilder<unknown>): Promise<number> {
  const { rows } = await positionAt(scan, time).execute(db);
  return rows[0]?.position ?? 0;
}

/** The position of the first entry at or after the time, or the position after the last entry. Null without entries. */
export function positionAt({ where, by }: HistoryScan, time: RawBuilder<unknown>) {
  const key = sql.ref(`history.${by}`);
  return sql<{ position: number | null }>`
    with recursive halving (low, high) as (
      select (select ${key} from history where ${where} order by ${key} limit 1),
        (select ${key} from history where ${where} order by ${key} desc limit 1) + 1
      union all
      select case when middle.at < ${time} then middle.key + 1 else halving.low end,
        case when middle.at < ${time} then halving.high else (halving.low + halving.high) / 2 end
      from halving cross join lateral (
        select ${key} as key, history.at from history
        where ${where} and ${key} >= (halving.low + halving.high) / 2 order by ${key} limit 1) as middle
      where halving.low < halving.high)
    select halving.low as position from halving where halving.low >= halving.high limit 1`;
}
