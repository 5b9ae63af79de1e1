/** Users with their roles and last sign-in. A page takes two statements, whatever its size. */
import { shownCohorts, type userKinds } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { isServiceAccount } from '../people/users.ts';
import { readPage, type PageOfKeys, type ScreenPage } from './screen-page.ts';

export interface UserFilter {
  /** The words of the searched text. */
  words: readonly string[];
  active: boolean | undefined;
}

export interface RowRole {
  id: number;
  name: string;
  /** Null if the role applies to all cohorts. */
  cohorts: { total: number; first: { id: number; label: string }[] } | null;
}

export interface UserRow {
  id: number;
  username: string;
  name: string;
  email: string;
  active: boolean;
  kind: (typeof userKinds)[number];
  roles: RowRole[];
  last_sign_in_at: string | null;
  token_last_used_at: string | null;
}

/** Without accents and in lower case. Of "C", so that it does not depend on the locale of the database. */
const folded = (text: RawBuilder<unknown>) => sql`
  lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g') collate "C")`;

const searched = sql`users.name || E'\\n' || users.username || E'\\n' || users.email`;

/** A search scans the users, who are few, until the page is full. An index on parts of words needs an optional extension. */
export function findUserIds(db: Db, { words, active }: UserFilter, page: ScreenPage): Promise<PageOfKeys> {
  const isFound =
    words.length === 0
      ? sql`true`
      : sql`(select bool_and(strpos(user_text.folded, words.folded) > 0) from words,
          (select ${folded(searched)} as folded offset 0) as user_text)`;
  return readPage(
    db,
    {
      before: sql`with words as materialized (
        select ${folded(sql`word`)} as folded from unnest(${[...words]}::text[]) as word)`,
      from: sql`users`,
      where: sql`users.id > ${page.after} and ${active === undefined ? sql`true` : sql`users.active = ${active}`}
        and ${isFound}`,
      key: sql`users.id`,
      order: sql`users.id`,
    },
    page,
  );
}

/** In the order of the ids. */
export async function readUserRows(db: Db, ids: readonly number[]): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select users.id, users.username, users.name, users.email, users.active, users.last_sign_in_at,
      case when account.is_service then 'service_account' else 'person' end as kind, ${roles} as roles,
      case when account.is_service then (
        select max(api_tokens.last_used_at) from api_tokens where api_tokens.user_id = users.id) end as token_last_used_at
    from users cross join lateral (select ${isServiceAccount} as is_service) as account
    where users.id = any(${[...ids]}::bigint[]) order by users.id`.execute(db);
  return rows;
}

/** The keys of both tables begin with the user. */
const roles = sql`coalesce((
  select json_agg(json_build_object('id', roles.id, 'name', roles.name, 'cohorts', held.cohorts) order by held.place, roles.id)
  from (
    select user_roles.role_id, 1 as place, null::json as cohorts from user_roles where user_roles.user_id = users.id
    union all
    select counted.role_id, 2, json_build_object('total', counted.total, 'first', (
      select json_agg(json_build_object('id', cohorts.id, 'label', cohorts.label) order by cohorts.id)
      from (
        select cohort_roles.cohort_id from cohort_roles
        where cohort_roles.user_id = users.id and cohort_roles.role_id = counted.role_id
        order by cohort_roles.cohort_id limit ${sql.lit(shownCohorts)}) as shown
      join cohorts on cohorts.id = shown.cohort_id))
    from (
      select cohort_roles.role_id, count(*) as total from cohort_roles
      where cohort_roles.user_id = users.id group by cohort_roles.role_id) as counted
  ) as held join roles on roles.id = held.role_id), '[]')`;
