-- The record: history (what was changed, by whom, for good), events (what others may want to hear of), and idempotency
-- keys (answers to requests that may come again).
--
-- Sizes: several hundred million rows of history, events as long as they are kept, keys of one day. History and events
-- refer to rows without foreign keys: they outlive what they speak of, and a key would lock a row for each entry.

-- The application can add, never change or delete.
create table history (
  id bigint generated always as identity constraint history_pk primary key,
  at timestamptz(3) not null default clock_timestamp(),
  actor_kind text not null,
  actor_id bigint,
  request_id text,
  operation text collate "C" not null,
  object_kind text collate "C" not null,
  object_id bigint not null,
  before jsonb,
  after jsonb,
  reason text,
  -- user: somebody signed in; execution: came with an execution's secret; engine: a rule by itself; operator: the command
  -- line or the first start.
  constraint history_actor_kind_check check (actor_kind in ('user', 'execution', 'engine', 'operator')),
  constraint history_actor_id_check check ((actor_id is not null) = (actor_kind in ('user', 'execution'))),
  constraint history_names_check check (operation <> '' and object_kind <> '')
);

-- The history of one object, in order.
create index history_object_index on history (object_kind, object_id, id);

-- Read by (xid, id), and only where xid < pg_snapshot_xmin(pg_current_snapshot()): of two events the one with the smaller
-- id can be committed later, and whoever reads by id alone loses it.
create table events (
  id bigint generated always as identity constraint events_pk primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default clock_timestamp(),
  kind text collate "C" not null, -- the operation that caused it
  object_kind text collate "C" not null,
  object_id bigint not null,
  cohort_id bigint, -- null: of no cohort, for those who may see everything
  data jsonb not null default '{}',
  constraint events_names_check check (kind <> '' and object_kind <> ''),
  constraint events_data_check check (jsonb_typeof(data) = 'object')
);

-- The tail of the stream, which every reader follows. Retention deletes by id.
create index events_tail_index on events (xid, id);

-- Written in the transaction of the effect; status is null only inside it, between the claim of a key and the answer.
create table idempotency_keys (
  actor_kind text not null,
  actor_id bigint not null,
  key text collate "C" not null,
  operation text collate "C" not null,
  request_hash bytea not null,
  status integer,
  body text, -- null: over 64 KiB or holding a secret; then the repeat is answered with status and location
  location text,
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint idempotency_keys_pk primary key (actor_kind, actor_id, key),
  constraint idempotency_keys_actor_kind_check check (actor_kind in ('user', 'execution')),
  constraint idempotency_keys_key_check check (char_length(key) between 1 and 255),
  constraint idempotency_keys_request_hash_check check (octet_length(request_hash) = 32),
  constraint idempotency_keys_status_check check (status between 200 and 599),
  constraint idempotency_keys_body_check check (octet_length(body) <= 65536)
);

-- Retention: what is older than a day goes.
create index idempotency_keys_created_at_index on idempotency_keys (created_at);
