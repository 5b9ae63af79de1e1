/** The cohorts that the author of a bulk operation can read and change at this moment, without a request of theirs. */
import type { Permission } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { allCohorts, type Scope } from '../scope.ts';
import { adminRole } from './roles.ts';

export interface AuthorScopes {
  /** False if the account is not active, or the API token expired or was revoked. */
  active: boolean;
  read: Scope;
  change: Scope;
}

interface Row {
  active: boolean;
  reads_all: boolean;
  changes_all: boolean;
  read_ids: number[];
  change_ids: number[];
}

/** A condition on `roles`. A token has no more permissions than it lists. */
const grants = (permission: Permission) => sql<boolean>`(
  (roles.name = ${sql.lit(adminRole)} or ${permission} = any(roles.permissions))
  and (token.id is null or ${permission} = any(token.permissions)))`;
const grantsAny = sql<boolean>`(
  case when token.id is null then roles.name = ${sql.lit(adminRole)} or cardinality(roles.permissions) > 0
  else roles.name = ${sql.lit(adminRole)} and cardinality(token.permissions) > 0 or roles.permissions && token.permissions end)`;

const everywhere = (isGranted: RawBuilder<boolean>) => sql`exists (
  select from user_roles join roles on roles.id = user_roles.role_id where user_roles.user_id = users.id and ${isGranted})`;
const cohortsWith = (isGranted: RawBuilder<boolean>) => sql`array(
  select cohort_roles.cohort_id from cohort_roles join roles on roles.id = cohort_roles.role_id
  where cohort_roles.user_id = users.id and ${isGranted})`;

const scopeOf = (isAll: boolean | undefined, ids: readonly number[] = []): Scope =>
  isAll ? allCohorts : { kind: 'cohorts', ids: [...new Set(ids)] };

export async function readAuthorScopes(
  db: Db,
  { author_id: id, token_id: tokenId }: { author_id: number; token_id: number | null },
  permission: Permission,
): Promise<AuthorScopes> {
  const isChange = grants(permission);
  const { rows } = await sql<Row>`
    select users.active and (${tokenId}::bigint is null
        or token.id is not null and token.revoked_at is null and token.expires_at > clock_timestamp()) as active,
      ${everywhere(grantsAny)} as reads_all, ${everywhere(isChange)} as changes_all,
      ${cohortsWith(grantsAny)} as read_ids, ${cohortsWith(isChange)} as change_ids
    from users left join api_tokens as token on token.id = ${tokenId}::bigint where users.id = ${id}`.execute(db);
  const [row] = rows;
  return {
    active: row?.active ?? false,
    read: scopeOf(row?.reads_all, row?.read_ids),
    change: scopeOf(row?.changes_all, row?.change_ids),
  };
}
