import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { isSnoozed } from './follow-ups.ts';
import { hasExits, isResting } from './resting.ts';

/** The most overdue decisions of a state that are read, so that a scrape is cheap whatever the number of experiments. */
export const maxOverdueOfState = 10_000;

/** Counts the overdue decisions of all cohorts, without snoozed ones. */
export async function countOverdue(db: Db): Promise<number> {
  const { rows } = await sql<{ overdue: number }>`
    select coalesce(sum(counted.overdue), 0)::integer as overdue from states cross join lateral (
      select count(*) as overdue from (
        select experiments.id, experiments.resting_since from experiments
        where experiments.state_id = states.id and ${isResting}
          and experiments.resting_since < now() - (states.decision ->> 'due')::interval
        order by experiments.resting_since limit ${maxOverdueOfState}) as experiments
      where not ${isSnoozed(sql`experiments.resting_since`)}) as counted
    where states.decision ->> 'due' is not null and not states.retired and ${hasExits}`.execute(db);
  return rows[0]?.overdue ?? 0;
}
