/** Writes to accounts, roles, sessions and credentials that the constraints of the database reject. */
import { before, long } from './refused-values.ts';

const session = (set: string) => `update sessions set ${set} where id = 1`;
const identity = (values: string) => `insert into user_identities (issuer, subject, user_id) values (${values})`;
const begun = (values: string) => `insert into begun_sign_ins (secret_hash, return_to) values (${values})`;
const token = (set: string) => `update api_tokens set ${set} where id = 1`;
const reset = (set: string) => `update password_resets set ${set} where id = 1`;
const view = (set: string) => `update views set ${set} where id = 1`;
const user = (set: string) => `update users set ${set} where id = 1`;

export const refusedUserWrites: Record<string, string[]> = {
  roles_name_unique: [`insert into roles (name) values ('admin')`],
  roles_name_check: [`insert into roles (name) values ('')`, `insert into roles (name) values (${long(256)})`],
  roles_description_check: [`update roles set description = ${long(10_001)}`],
  roles_permissions_check: [`update roles set permissions = '{user_read,null}'`],
  users_username_unique: [user(`username = 'BEN', username_key = 'ben'`)],
  users_email_unique: [user(`email = 'BEN@site.org', email_key = 'ben@site.org'`)],
  users_username_check: [user(`username = ''`), user(`username = ${long(256)}`)],
  users_username_no_colon_check: [user(`username = 'a:b'`)],
  users_username_at_check: [user(`username = 'x@site.org', username_key = 'x@site.org'`)],
  users_email_check: [user(`email = 'nobody'`), user(`email = '@'`), user(`email = '@' || ${long(255)}`)],
  users_name_check: [user(`name = ${long(256)}`)],
  user_roles_user_fk: [`insert into user_roles (user_id, role_id) values (99, 1)`],
  user_roles_role_fk: [`insert into user_roles (user_id, role_id) values (1, 99)`],
  cohort_roles_user_fk: [`insert into cohort_roles (user_id, role_id, cohort_id) values (99, 1, 1)`],
  cohort_roles_role_fk: [`insert into cohort_roles (user_id, role_id, cohort_id) values (1, 99, 1)`],
  cohort_roles_cohort_fk: [`insert into cohort_roles (user_id, role_id, cohort_id) values (1, 1, 99)`],
  views_owner_fk: [view('owner_id = 99')],
  views_cohort_fk: [view('cohort_id = 99')],
  views_name_unique: [view(`name_key = 'two'`)],
  views_name_check: [view(`name = ''`), view(`name = ${long(101)}`)],
  views_query_check: [view(`query = ${long(1001)}`)],
  views_sort_check: [view(`sort = ''`), view(`sort = 'ID'`)],
  views_columns_check: [
    view(`columns = array_fill('x'::text, array[31])`),
    view(`columns = '{x,null}'`),
    view(`columns = array[${long(50_000)}]`),
  ],
  sessions_user_fk: [session('user_id = 99')],
  sessions_token_hash_unique: [session(`token_hash = decode(repeat('01', 32), 'hex')`)],
  sessions_token_hash_check: [session(`token_hash = decode('00', 'hex')`)],
  sessions_expires_at_check: [
    session('expires_at = created_at'),
    session(`expires_at = created_at + interval '12 hours 1 second'`),
  ],
  sessions_last_used_at_check: [session(`last_used_at = ${before}`)],
  sessions_ended_at_check: [session(`ended_at = ${before}`)],
  sessions_address_check: [session(`address = ${long(101)}`)],
  sessions_user_agent_check: [session(`user_agent = ${long(301)}`)],
  password_resets_user_fk: [reset('user_id = 99')],
  password_resets_token_hash_unique: [reset(`token_hash = decode(repeat('01', 32), 'hex')`)],
  password_resets_token_hash_check: [reset(`token_hash = decode('00', 'hex')`)],
  password_resets_expires_at_check: [reset('expires_at = null'), reset('token_hash = null')],
  sign_in_failures_pair_hash_check: [`update sign_in_failures set pair_hash = decode('00', 'hex')`],
  sign_in_failures_count_check: ['update sign_in_failures set count = 0'],
  user_identities_user_unique: [identity(`'https://other.site.org', 'ann', 1`)],
  user_identities_user_fk: [identity(`'https://id.site.org', 'nobody', 99`)],
  user_identities_issuer_check: [identity(`'', 'ben', 2`), identity(`${long(256)}, 'ben', 2`)],
  user_identities_subject_check: [
    identity(`'https://id.site.org', '', 2`),
    identity(`'https://id.site.org', ${long(256)}, 2`),
  ],
  begun_sign_ins_secret_hash_check: [begun(`decode('00', 'hex'), '/'`)],
  begun_sign_ins_return_to_check: [
    begun(`sha256(''), 'https://elsewhere.org'`),
    begun(`sha256(''), '/' || ${long(1000)}`),
  ],
  api_tokens_user_fk: [token('user_id = 99')],
  api_tokens_token_hash_unique: [token(`token_hash = decode(repeat('01', 32), 'hex')`)],
  api_tokens_token_hash_check: [token(`token_hash = decode('00', 'hex')`)],
  api_tokens_name_check: [token(`name = ''`), token(`name = ${long(256)}`)],
  api_tokens_permissions_check: [token(`permissions = '{user_read,null}'`)],
  api_tokens_expires_at_check: [
    token('expires_at = created_at'),
    token(`expires_at = created_at + interval '367 days 1 second'`),
  ],
  api_tokens_last_used_at_check: [token(`last_used_at = ${before}`)],
  api_tokens_revoked_at_check: [token(`revoked_at = ${before}`)],
};
