/** Claims: attempts that pulling workers started over HTTP. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { prepare, type Bind } from '../../database/prepare.ts';
import { idsOf, inBoundScope, type Scope } from '../scope.ts';
import { renewGivenSql } from './attempts.ts';

export interface ClaimRenewal {
  executionId: number;
  /** Appended to the attempt's log. */
  log: string;
  /** The hash of the secret, which proves that the claim is the caller's, or the attempt that the user claimed. */
  by: { secretHash: Buffer } | { attempt: number; username: string };
}

export interface RenewedClaim {
  /** The latest attempt of the execution. 0 if none has started. */
  latest: number;
  /** The attempt of the claim. Null if it does not exist. */
  attempt: number | null;
  /** Whether the caller claimed the attempt. */
  own: boolean;
  /** `locked`: another transaction locks the attempt, so its log was not stored. `ended`: so has the attempt. */
  lease: 'renewed' | 'locked' | 'ended';
}

interface Values {
  scope: Scope;
  executionId: number;
  log: string;
  secretHash?: Buffer;
  attempt?: number;
  username?: string;
}

const prepareRenewal = (claim: (bind: Bind<Values>) => { is: RawBuilder<unknown>; own: RawBuilder<unknown> }) =>
  prepare<Values, RenewedClaim>((bind) => {
    const { is, own } = claim(bind);
    const cohortIds = bind(({ scope }) => idsOf(scope));
    return sql<RenewedClaim>`
    with latest as materialized (
      select callback_executions.id, callback_executions.attempt
      from callback_executions join actions on actions.id = callback_executions.action_id
      join experiments on experiments.id = actions.experiment_id
      where callback_executions.id = ${bind(({ executionId }) => executionId)} and ${inBoundScope(cohortIds, 'experiments.cohort_id')}
    ), claimed as materialized (
      select claimed.execution_id, claimed.attempt, ${own} as own, claimed.ended_at is null as open
      from latest join execution_attempts as claimed on claimed.execution_id = latest.id and ${is}
    ), given as (
      select claimed.execution_id, claimed.attempt, ${bind(({ log }) => log)}::text as log
      from claimed join latest on latest.attempt = claimed.attempt where claimed.own and claimed.open
    ), ${renewGivenSql}
    select latest.attempt as latest, claimed.attempt, coalesce(claimed.own, false) as own,
      case when renewed.attempt is not null then 'renewed' when claimed.open then 'locked' else 'ended' end as lease
    from latest left join claimed on true left join renewed on true`;
  });

const renewBySecret = prepareRenewal((bind) => ({
  is: sql`claimed.secret_hash = ${bind(({ secretHash }) => secretHash)}`,
  own: sql`true`,
}));

const renewByUser = prepareRenewal((bind) => ({
  is: sql`claimed.attempt = ${bind(({ attempt }) => attempt)}`,
  own: sql`claimed.worker = ${bind(({ username }) => username)}`,
}));

/** Renews the lease if the attempt is the latest one and the caller claimed it. Undefined if the execution does not exist. */
export async function renewClaim(
  db: Db,
  scope: Scope,
  { executionId, log, by }: ClaimRenewal,
): Promise<RenewedClaim | undefined> {
  const renew = 'secretHash' in by ? renewBySecret : renewByUser;
  const [row] = await renew(db, { scope, executionId, log, ...by });
  return row;
}
