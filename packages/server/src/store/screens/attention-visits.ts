/** When users had the attention list open. What began after the last visit is new. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

/** Null before the second visit. */
export async function readNewSince(db: Db, userId: number): Promise<string | null> {
  const row = await db
    .selectFrom('attention_visits')
    .select('attention_visits.new_since')
    .where('attention_visits.user_id', '=', userId)
    .executeTakeFirst();
  return row?.new_since ?? null;
}

/** A visit ends half an hour after its last request. */
export async function noteVisit(db: Db, userId: number): Promise<string | null> {
  const { rows } = await sql<{ new_since: string | null }>`
    insert into attention_visits (user_id, last_at) values (${userId}, now())
    on conflict (user_id) do update set last_at = now(), new_since = case
      when attention_visits.last_at < now() - interval '30 minutes' then attention_visits.last_at
      else attention_visits.new_since end
    returning attention_visits.new_since`.execute(db);
  return rows[0]?.new_since ?? null;
}
