/**
 * Which part of the history lies between two moments. Entries get their number and their time together, so the one where a
 * moment begins is found by halving, some thirty looks at an index that is there anyway. An index by time would cost every
 * move.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';

/** The entries that are walked along, and what orders them. */
export interface Walk {
  where: RawBuilder<unknown>;
  by: 'id' | 'sequence';
}

/** Positions in a walk: the first, and the one behind the last. */
export interface Moments {
  from: number;
  below: number;
}

/** Numbers and times of writers that meet may lie crosswise, and a clock may be set. What is exact is judged entry by entry. */
const slack = sql`interval '1 minute'`;

export async function momentsOf(db: Db, walk: Walk, { from, to }: { from?: string; to?: string }): Promise<Moments> {
  return {
    from: from === undefined ? 0 : await findPosition(db, walk, sql`${from}::timestamptz - ${slack}`),
    below:
      to === undefined ? Number.MAX_SAFE_INTEGER : await findPosition(db, walk, sql`${to}::timestamptz + ${slack}`),
  };
}

/** The first whose time is the moment or later; behind the last one if there is none. */
async function findPosition(db: Db, { where, by }: Walk, moment: RawBuilder<unknown>): Promise<number> {
  const key = sql.ref(`history.${by}`);
  const { rows } = await sql<{ position: number | null }>`
    with recursive halving (low, high) as (
      select (select ${key} from history where ${where} order by ${key} limit 1),
        (select ${key} from history where ${where} order by ${key} desc limit 1) + 1
      union all
      select case when met.at < ${moment} then met.key + 1 else halving.low end,
        case when met.at < ${moment} then halving.high else (halving.low + halving.high) / 2 end
      from halving cross join lateral (
        select ${key} as key, history.at from history
        where ${where} and ${key} >= (halving.low + halving.high) / 2 order by ${key} limit 1) as met
      where halving.low < halving.high)
    select halving.low as position from halving where halving.low >= halving.high limit 1`.execute(db);
  return rows[0]?.position ?? 0;
}
