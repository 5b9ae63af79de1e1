/**
 * Contact with the database. A lease runs only while any process of its kind reaches the database, so an outage makes no attempt
 * count as lost. Workers renew their own leases, and servers renew those of pulling workers.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { leaseSeconds } from './attempts.ts';

export type LeaseHolder = 'worker' | 'server';

/** How often each process records its contact. */
export const contactMs = 2000;
/** How long a recorded contact lasts. */
const contactLasts = sql`interval '3 seconds'`;
const lease = sql`${sql.lit(leaseSeconds)} * interval '1 second'`;

/** Returns the seconds without contact that have just ended, or 0. Of many processes, one a second writes. */
export async function recordContact(db: Db, holder: LeaseHolder): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    with clock as materialized (select clock_timestamp() as now),
    last as (
      select contact.holder, contact.at from contact cross join clock
      where contact.holder = ${holder} and contact.at not between clock.now - interval '1 second' and clock.now
      for no key update of contact skip locked
    ), renewed as (
      update contact set at = clock.now from last cross join clock where contact.holder = last.holder
    ), outdated as (
      delete from contact_gaps using clock
      where contact_gaps.holder = ${holder} and contact_gaps.ended_at < clock.now - interval '7 days'
    )
    insert into contact_gaps (holder, started_at, ended_at)
    select last.holder, last.at + ${contactLasts}, clock.now from last cross join clock
    where last.at + ${contactLasts} < clock.now
    returning extract(epoch from contact_gaps.ended_at - contact_gaps.started_at)::float as seconds`.execute(db);
  return rows[0]?.seconds ?? 0;
}

/**
 * The time before which a heartbeat is too old: 20 s ago, and earlier by all times without contact since then. Contact lasts at
 * least 3 s between two gaps, so the last seven gaps are enough.
 */
export const leaseLimit = (holder: RawBuilder<string>) => sql<string>`(
  select now() - ${lease} - coalesce(sum(gap.length) filter (where now() - gap.ended_at - gap.later < ${lease}), interval '0')
  from (
    select found.ended_at, found.ended_at - found.started_at as length,
      coalesce(sum(found.ended_at - found.started_at) over latest_first, interval '0') as later
    from ((
      select contact.at + ${contactLasts} as started_at, now() as ended_at from contact
      where contact.holder = ${holder} and contact.at + ${contactLasts} < now()
    ) union all (
      select contact_gaps.started_at, contact_gaps.ended_at from contact_gaps
      where contact_gaps.holder = ${holder} order by contact_gaps.ended_at desc limit 7
    )) as found
    window latest_first as (order by found.ended_at desc rows between unbounded preceding and 1 preceding)
  ) as gap)`;
