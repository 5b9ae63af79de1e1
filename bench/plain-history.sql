-- The history without the hash chain: the same columns, checks and indexes, without the trigger.
create table plain_history (
  id bigint generated always as identity primary key,
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
  check (actor_kind in ('user', 'execution', 'engine', 'operator')),
  check ((actor_id is not null) = (actor_kind in ('user', 'execution'))),
  check (operation <> '' and object_kind <> '')
);
create index on plain_history (object_kind, object_id, id);
grant insert on plain_history to bench;
