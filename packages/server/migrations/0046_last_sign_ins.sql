-- Outside a transaction, so that the new column is not locked while it is filled.
--
-- Expired sessions are deleted, so users keep the time of their last sign-in. The previous release does not write it.
alter table users add column if not exists last_sign_in_at timestamptz(3);

update users set last_sign_in_at = opened.last_at
  from (select user_id, max(created_at) as last_at from sessions group by user_id) as opened
  where opened.user_id = users.id and users.last_sign_in_at is null;
