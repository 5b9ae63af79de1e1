-- Tokens: what programs come with instead of a password. Each is of one account, may do a part of what that may, and ends.
--
-- Sizes: at most 100 open ones for each account; what is over is deleted by the workers after 90 days. Of the token itself
-- only the SHA-256 is here: who reads this table can come as nobody. The row is written when the token is created and
-- revoked, and once a minute at most while it is used.

create table api_tokens (
  id bigint generated always as identity constraint api_tokens_pk primary key,
  user_id bigint not null,
  token_hash bytea not null,
  name text not null,
  -- What it may do at most; at each request what its owner may do counts, too.
  permissions text[] not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint api_tokens_user_fk foreign key (user_id) references users (id),
  constraint api_tokens_token_hash_unique unique (token_hash),
  constraint api_tokens_token_hash_check check (octet_length(token_hash) = 32),
  constraint api_tokens_name_check check (char_length(name) between 1 and 255),
  constraint api_tokens_permissions_check check (array_position(permissions, null) is null),
  -- The server says 366 days by its own clock, which may be a little ahead of this one.
  constraint api_tokens_expires_at_check check (expires_at > created_at and expires_at <= created_at + interval '367 days'),
  constraint api_tokens_last_used_at_check check (last_used_at >= created_at),
  constraint api_tokens_revoked_at_check check (revoked_at >= created_at)
);

-- The tokens of one account: listed, counted, and ended together.
create index api_tokens_user_index on api_tokens (user_id, id);

-- Retention: what has been over for long goes, whichever way it ended.
create index api_tokens_over_index on api_tokens (least(expires_at, revoked_at));
