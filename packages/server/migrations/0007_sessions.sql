-- Sessions: who is signed in with a browser, and since when.
--
-- Sizes: as many rows as sign-ins of a day or two; what is over is deleted by the workers. Of the token that the browser holds
-- only the SHA-256 is here: who reads this table can sign in as nobody. The row is written at sign-in, at its end, and
-- once a minute at most while it is used.

create table sessions (
  id bigint generated always as identity constraint sessions_pk primary key,
  user_id bigint not null,
  token_hash bytea not null,
  -- Of one moment, that of the transaction, so that the longest life is exact.
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null default now() + interval '12 hours',
  ended_at timestamptz(3),
  address text not null,
  user_agent text not null,
  constraint sessions_user_fk foreign key (user_id) references users (id),
  constraint sessions_token_hash_unique unique (token_hash),
  constraint sessions_token_hash_check check (octet_length(token_hash) = 32),
  constraint sessions_expires_at_check check (expires_at > created_at and expires_at <= created_at + interval '12 hours'),
  constraint sessions_last_used_at_check check (last_used_at >= created_at),
  constraint sessions_ended_at_check check (ended_at >= created_at),
  constraint sessions_address_check check (char_length(address) <= 100),
  constraint sessions_user_agent_check check (char_length(user_agent) <= 300)
);

-- The open sessions of one user: listed, and ended together.
create index sessions_user_index on sessions (user_id, id) where ended_at is null;

-- Retention: what expired goes.
create index sessions_expires_at_index on sessions (expires_at);
