/** The user on whose behalf data is read or changed, and statements that read the user's row together with the data. */
import { sql, type Expression, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { prepare } from '../../database/prepare.ts';
import { includesCohort, type Scope } from '../scope.ts';
import { accountJson, type AccountRowWithLogins } from './users.ts';

export interface Caller {
  id: number;
  /** Empty until the caller is confirmed. */
  scope: Scope;
  /** Set until the caller's permissions are known. Determines the scope. Throws if the caller lacks the permission. */
  confirm?: ((row?: AccountRowWithLogins) => Promise<void>) | undefined;
}

/** Reads an object of a cohort. Undefined if it does not exist or the caller cannot access its cohort. */
export type FindForCaller<R> = (db: Db, caller: Caller, id: number) => Promise<R | undefined>;

/** Prepares a statement that also confirms the caller. `select` returns the object with the given id, in any cohort. */
export function prepareConfirming<R extends { cohort_id: number }>(
  select: (id: RawBuilder<number>, db: Db) => Expression<R>,
): FindForCaller<R> {
  const read = prepare<{ id: number; userId: number }, Partial<R> & { account?: AccountRowWithLogins }>((bind, db) => {
    const [id, userId] = [bind((values) => values.id), bind((values) => values.userId)];
    return sql`
      select ${accountJson(userId)} as account, found.*
      from (select) as always left join ${select(id, db)} as found on true`;
  });
  return async (db, caller, id) => {
    const [{ account, ...found } = {}] = await read(db, { id, userId: caller.id });
    await caller.confirm?.(account ?? undefined);
    const { cohort_id: cohortId } = found as Partial<R>;
    return cohortId != null && includesCohort(caller.scope, cohortId) ? (found as unknown as R) : undefined;
  };
}
