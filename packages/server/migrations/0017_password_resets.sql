-- New passwords by mail. Who asks is noted before anything is known of them, so that the answer takes as long for a name that
-- nobody has: then user_id is null, and the row goes as soon as a worker sees it. A worker makes the token when it sends the
-- letter; the SHA-256 of it is kept, as of the tokens of sessions.
create table password_resets (
  id bigint generated always as identity,
  user_id bigint,
  asked_at timestamptz(3) not null default clock_timestamp(),
  -- How often sending was begun, and when it may be tried: a worker that dies while it sends leaves it to another one.
  tries integer not null default 0,
  next_try_at timestamptz(3) not null default clock_timestamp(),
  token_hash bytea,
  sent_at timestamptz(3),
  expires_at timestamptz(3),
  -- Used, given up, or made void by a change of the account.
  ended_at timestamptz(3),
  constraint password_resets_pk primary key (id),
  constraint password_resets_user_fk foreign key (user_id) references users (id),
  constraint password_resets_token_hash_unique unique (token_hash),
  constraint password_resets_token_hash_check check (octet_length(token_hash) = 32),
  constraint password_resets_expires_at_check check ((expires_at is null) = (token_hash is null))
);

-- Letters that wait to be sent, in the order in which they may be: none, most of the time.
create index password_resets_waiting_index on password_resets (next_try_at) where sent_at is null and ended_at is null;

-- Those of one account: how many letters it got within the hour, and which links still work.
create index password_resets_user_index on password_resets (user_id, asked_at);

-- Retention: a day after it was asked for nothing is left of it.
create index password_resets_asked_at_index on password_resets (asked_at);
