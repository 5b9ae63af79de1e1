/** Checks of external systems. Triggers create the row of a system, and replace it when the URL changes. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface DueCheck {
  id: number;
  url: string;
  /** Another worker may check the system after this time. Only the claim that the row has can record a result. */
  claimed_until: string;
}

export type CheckOutcome =
  | { result: 'reachable'; latencyMs: number }
  | { result: 'unreachable' | 'not_allowed'; error: string };

const atOnce = 20;
/** Longer than all checks of a claim can take. */
const claimed = sql`interval '2 minutes'`;
const between = sql`interval '5 minutes'`;

/** Claims those that have waited longest. Workers that claim at the same time get different ones. */
export async function claimDueChecks(db: Db): Promise<DueCheck[]> {
  const { rows } = await sql<DueCheck>`
    update external_system_checks as checks set next_at = clock_timestamp() + ${claimed}
    from external_systems
    where external_systems.id = checks.external_system_id and checks.external_system_id = any(array(
      select due.external_system_id from external_system_checks as due where due.next_at <= clock_timestamp()
      order by due.next_at limit ${sql.lit(atOnce)} for update skip locked))
    returning external_systems.id, external_systems.url, checks.next_at as claimed_until`.execute(db);
  return rows;
}

const isClaimed = ({ id, claimed_until }: DueCheck) =>
  sql`external_system_checks.external_system_id = ${id} and external_system_checks.next_at = ${claimed_until}`;

/** Without effect if the URL has changed, or if another worker has taken over. */
export async function recordCheck(db: Db, check: DueCheck, outcome: CheckOutcome): Promise<void> {
  const { result } = outcome;
  const error = result === 'reachable' ? null : outcome.error;
  const fails = sql`${result}::text = 'unreachable'`;
  await sql`
    update external_system_checks set next_at = clock_timestamp() + ${between}, checked_at = clock_timestamp(),
      result = ${result}, latency_ms = ${result === 'reachable' ? outcome.latencyMs : null}, error = ${error},
      failing_since = case when ${fails} then coalesce(failing_since, clock_timestamp()) end,
      last_error = case when ${fails} then ${error} else last_error end,
      last_error_at = case when ${fails} then clock_timestamp() else last_error_at end
    where ${isClaimed(check)}`.execute(db);
}

/** Lets another worker check the system at once. */
export async function releaseCheck(db: Db, check: DueCheck): Promise<void> {
  await sql`update external_system_checks set next_at = clock_timestamp() where ${isClaimed(check)}`.execute(db);
}
