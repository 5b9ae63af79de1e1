/** Claims: attempts that pulling workers started over HTTP. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { notFound } from '../../errors.ts';
import { inScope, type Scope } from '../scope.ts';
import { renewGivenSql, type Lease } from './attempts.ts';

export interface ClaimRenewal extends Lease {
  /** The username of the caller. Null with the secret of the attempt, which proves that the claim is the caller's. */
  claimedBy: string | null;
}

export interface RenewedClaim {
  /** The latest attempt of the execution. 0 if none has started. */
  latest: number;
  /** Whether the caller claimed the attempt. */
  own: boolean;
  /** `locked`: another transaction locks the attempt, so its log was not stored. `ended`: so has the attempt. */
  lease: 'renewed' | 'locked' | 'ended';
}

/** Renews the lease if the attempt is the latest one and the caller claimed it. */
export async function renewClaim(
  db: Db,
  scope: Scope,
  { executionId, attempt, log, claimedBy }: ClaimRenewal,
): Promise<RenewedClaim> {
  const { rows } = await sql<RenewedClaim>`
    with latest as (
      select callback_executions.id, callback_executions.attempt
      from callback_executions join actions on actions.id = callback_executions.action_id
      join experiments on experiments.id = actions.experiment_id
      where callback_executions.id = ${executionId} and ${inScope(scope, 'experiments.cohort_id')}
    ), given as (
      select claimed.execution_id, claimed.attempt, ${log}::text as log
      from latest join execution_attempts as claimed on claimed.execution_id = latest.id and claimed.attempt = latest.attempt
      where latest.attempt = ${attempt} and (${claimedBy}::text is null or claimed.worker = ${claimedBy})
    ), ${renewGivenSql}
    select latest.attempt as latest, given.attempt is not null as own,
      case when renewed.attempt is not null then 'renewed' when open.attempt is not null then 'locked' else 'ended' end as lease
    from latest left join given on true left join open on true left join renewed on true`.execute(db);
  const [row] = rows;
  if (!row) throw notFound(`callback execution with id ${executionId}`);
  return row;
}
