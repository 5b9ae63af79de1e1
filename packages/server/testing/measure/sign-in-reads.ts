/** Queries of sign-ins, password resets, API tokens and searches, with the index that each uses and the most rows that it may read. */
export const signInReads = [
  {
    list: 'experiments with a part of an external ID',
    index: 'experiment_search_text_index',
    rows: 20,
    sql: `select experiment_id from experiment_search where text like '%t_e4321%'`,
  },
  {
    list: 'the open sessions of a user',
    index: 'sessions_user_index',
    rows: 10,
    sql: `select id from sessions where (user_id, id) > (2, 0) and user_id <= 2 and ended_at is null order by user_id, id`,
  },
  {
    list: 'expired sessions',
    index: 'sessions_expires_at_index',
    rows: 7000,
    sql: `delete from sessions where expires_at < now() - interval '1 day'`,
  },
  {
    list: 'the next password reset mail',
    index: 'password_resets_waiting_index',
    rows: 1,
    sql: `select id from password_resets where sent_at is null and ended_at is null and next_try_at <= now()
      order by next_try_at limit 1`,
  },
  {
    list: 'the number of reset links of an account in the last hour',
    index: 'password_resets_user_index',
    rows: 10,
    sql: `select count(*) from password_resets
      where user_id = 2 and tries = 1 and asked_at > now() - interval '90 minutes' and expires_at > now() - interval '30 minutes'`,
  },
  {
    list: 'expired failed sign-ins',
    index: 'sign_in_failures_since_index',
    rows: 5000,
    sql: `select pair_hash from sign_in_failures where since <= now() - interval '15 minutes'
      order by since limit 10000`,
  },
  {
    list: 'expired password reset requests',
    index: 'password_resets_asked_at_index',
    rows: 7000,
    sql: `select id from password_resets where asked_at < now() - interval '12 hours' order by asked_at limit 5000`,
  },
  {
    list: 'expired unfinished sign-ins',
    index: 'begun_sign_ins_expires_at_index',
    rows: 2,
    sql: `select secret_hash from begun_sign_ins where expires_at < now() order by expires_at limit 2`,
  },
  {
    list: 'the API tokens of an account',
    index: 'api_tokens_user_index',
    rows: 100,
    sql: `select id from api_tokens where (user_id, id) > (2, 0) and user_id <= 2 order by user_id, id`,
  },
  {
    list: 'API tokens that expired long ago',
    index: 'api_tokens_over_index',
    rows: 5000,
    sql: `delete from api_tokens where least(expires_at, revoked_at) < now() - interval '27 days'`,
  },
];
