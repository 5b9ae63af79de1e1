-- The chained history: every entry is bound to the one before it by a hash, and what is personal stands beside the chain.
--
-- Sizes: as history, several hundred million rows; values for those entries that say more of a person than ids, states,
-- statuses and times: most moves have none.
--
-- All of it is made by a trigger, so that no writer can forget it, and a writer inserts what it always did. There is one
-- chain for each experiment, subject and cohort, and one for all users, all roles, all workflows and all settings. A single
-- one for everything would make every move wait for every other.

-- Entries that are there already are written anew below, through the trigger.
lock table history in access exclusive mode;
create temporary table earlier_history on commit drop as table history;
truncate history;

alter table history
  add column xid xid8 not null default pg_current_xact_id(), -- for whoever reads what was committed since, as with events
  add column chain text collate "C" not null,
  add column chain_id bigint not null, -- of the experiment, subject or cohort; 0 where a kind has one chain
  add column sequence bigint not null, -- in its chain, from 1 and without gaps
  add column person text collate "C", -- whose values stand in history_values: a subject's or a user's; null without any
  add column person_id bigint,
  add column values_hash bytea,
  add column hash bytea not null;

comment on column history.xid is 'made by the database';
comment on column history.chain is 'made by the database';
comment on column history.chain_id is 'made by the database';
comment on column history.sequence is 'made by the database';
comment on column history.person is 'made by the database';
comment on column history.person_id is 'made by the database';
comment on column history.values_hash is 'made by the database';
comment on column history.hash is 'made by the database';

-- A chain in order; its last entry, which the next one is bound to; and that there is one next entry, not two.
create unique index history_chain_index on history (chain, chain_id, sequence);
-- The history of one object, in order. Those of an experiment, a subject or a cohort are in its chain, so that moves do
-- not pay for this one.
drop index history_object_index;
create index history_object_index on history (object_kind, object_id, id)
  where chain in ('users', 'roles', 'workflows', 'settings');
-- Everything that is kept of a person, to show or to erase it.
create index history_person_index on history (person, person_id, id) where person is not null;
-- What was committed since a moment, in the order of (xid, id), as events are read.
create index history_tail_index on history (xid, id);

-- The personal part of an entry. Without a foreign key, as the rest of the record: the trigger writes it with its entry.
create table history_values (
  history_id bigint constraint history_values_pk primary key,
  before jsonb,
  after jsonb,
  reason text
);

-- The chain holds a hash of these values that nobody can try guesses on without the key of the person. Whoever destroys
-- values and key leaves a chain that still verifies and tells nothing.
create table personal_keys (
  person text collate "C" not null,
  person_id bigint not null,
  key bytea not null,
  constraint personal_keys_pk primary key (person, person_id),
  constraint personal_keys_person_check check (person in ('subject', 'user')),
  constraint personal_keys_key_check check (octet_length(key) = 32)
);

-- The chain of an entry about something that has none of its own. Whoever records a new kind of object says here where it
-- belongs: a kind that is missing is refused.
create function history_chain_of(object_kind text, object_id bigint, out chain text, out chain_id bigint)
language plpgsql as $$
begin
  chain := case
    when object_kind in ('action', 'callback_execution', 'note', 'scan') then 'experiment'
    when object_kind = 'user' then 'users'
    when object_kind = 'role' then 'roles'
    when object_kind in ('workflow', 'callback') then 'workflows'
    when object_kind in ('external_system', 'scantype') then 'settings'
  end;
  chain_id := case object_kind
    when 'action' then (select actions.experiment_id from public.actions where actions.id = object_id)
    when 'callback_execution' then (
      select actions.experiment_id from public.callback_executions
      join public.actions on actions.id = callback_executions.action_id
      where callback_executions.id = object_id)
    when 'note' then (select notes.experiment_id from public.notes where notes.id = object_id)
    when 'scan' then (select scans.experiment_id from public.scans where scans.id = object_id)
    else 0
  end;
  if chain is null then
    raise exception 'no chain is known for objects of the kind "%"', object_kind using constraint = 'history_names_check';
  end if;
end $$;

-- Those values that stay in the chain: ids, states, statuses and times; of users also what they may do. All others are
-- personal. Null: nothing in such a chain is. The day of a scan is a time, and says so much of a person that it is not here.
create function history_kept_names(chain text) returns text[] language sql immutable as $$
  select case chain
    when 'experiment' then '{id,experiment_id,subject_id,cohort_id,workflow_id,scantype_id,transition_id,action_id,retry_of,
      state,state_id,state_label,status,result,success,incident,late_report,start_time,end_time,version}'::text[]
    when 'subject' then '{id,cohort_id,version}'::text[]
    when 'users' then '{id,active,create_time,role,has_role,roles,session_id,password,version}'::text[]
  end
$$;

-- The key of a person, made when it is first needed.
create function personal_key(of_person text, of_id bigint) returns bytea language plpgsql as $$
declare
  found_key bytea;
begin
  select personal_keys.key into found_key from public.personal_keys
    where personal_keys.person = of_person and personal_keys.person_id = of_id;
  if found then return found_key; end if;
  insert into public.personal_keys (person, person_id, key)
    values (of_person, of_id, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
    on conflict do nothing;
  select personal_keys.key into found_key from public.personal_keys
    where personal_keys.person = of_person and personal_keys.person_id = of_id;
  return found_key;
end $$;

-- Puts the personal part of an entry beside the chain, and its hash in its place. Of an experiment it is the subject's that the
-- experiment had when this was recorded: an entry that gives it to another one tells the label of the one before.
create function set_values_aside(entry history, kept text[]) returns history language plpgsql as $$
declare
  hidden_before jsonb := nullif(entry.before - kept, '{}');
  hidden_after jsonb := nullif(entry.after - kept, '{}');
  hidden_reason text := nullif(entry.reason, '');
begin
  entry.person := case entry.chain when 'users' then 'user' else 'subject' end;
  entry.person_id := case entry.chain
    when 'users' then entry.object_id
    when 'subject' then entry.chain_id
    else coalesce((entry.before ->> 'subject_id')::bigint, (entry.after ->> 'subject_id')::bigint,
      (select experiments.subject_id from public.experiments where experiments.id = entry.chain_id))
  end;
  insert into public.history_values (history_id, before, after, reason)
    values (entry.id, hidden_before, hidden_after, hidden_reason);
  entry.values_hash := sha256(public.personal_key(entry.person, entry.person_id) || sha256(convert_to(
    json_build_array(entry.id, hidden_before::text, hidden_after::text, hidden_reason)::text, 'UTF8')));
  entry.before := entry.before - array(select jsonb_object_keys(hidden_before));
  entry.after := entry.after - array(select jsonb_object_keys(hidden_after));
  entry.reason := '';
  return entry;
end $$;

-- Whoever changes an experiment or a subject holds its row, so that its chain has one writer at a time. All others take
-- turns here, until the end of the transaction. A writer that slipped through would be refused by the index, not forked.
-- (A lock for each experiment would not do: an import may move thousands in one transaction, and such locks are few.)
create function chain_history() returns trigger language plpgsql as $$
declare
  kept text[];
  previous bytea;
begin
  if new.object_kind in ('experiment', 'subject', 'cohort') then
    new.chain := new.object_kind;
    new.chain_id := new.object_id;
  else
    select * into new.chain, new.chain_id from public.history_chain_of(new.object_kind, new.object_id);
  end if;
  if new.chain not in ('experiment', 'subject') then
    perform pg_advisory_xact_lock(hashtext('history'), hashtext(new.chain || ' ' || new.chain_id));
  end if;
  select history.sequence, history.hash into new.sequence, previous from public.history
    where history.chain = new.chain and history.chain_id = new.chain_id order by history.sequence desc limit 1;
  new.sequence := coalesce(new.sequence, 0) + 1;
  kept := public.history_kept_names(new.chain);
  if kept is not null and (new.before - kept <> '{}' or new.after - kept <> '{}' or new.reason <> '') then
    new := public.set_values_aside(new, kept);
  end if;
  new.hash := sha256(convert_to(json_build_array(encode(previous, 'hex'), new.id, new.chain, new.chain_id, new.sequence,
    to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), new.actor_kind, new.actor_id, new.request_id,
    new.operation, new.object_kind, new.object_id, new.before::text, new.after::text, new.reason, new.person,
    new.person_id, encode(new.values_hash, 'hex'))::text, 'UTF8'));
  return new;
end $$;

create trigger history_chained before insert on history for each row execute function chain_history();

-- Each entry with its personal part, as it was recorded.
create view history_with_values as
  select history.id, history.at, history.actor_kind, history.actor_id, history.request_id, history.operation,
    history.object_kind, history.object_id,
    coalesce(history.before || history_values.before, history.before) as before,
    coalesce(history.after || history_values.after, history.after) as after,
    coalesce(history_values.reason, history.reason) as reason,
    history.chain, history.chain_id, history.sequence
  from history left join history_values on history_values.history_id = history.id;

insert into history
    (id, at, actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
  overriding system value
  select id, at, actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason
  from earlier_history order by id;

-- Checkpoints: the last entries of the chains that were continued, signed with a key outside the database. Whoever cuts off
-- the end of a chain, or writes it anew, would have to sign again what was signed before.
--
-- Sizes: some hundred thousand a year, each with as many heads as chains changed in a minute, 10,000 at most. Numbers have
-- no gaps, and each is bound to the one before it. Without a foreign key, as the rest of the record.
create table checkpoints (
  number bigint constraint checkpoints_pk primary key,
  at timestamptz(3) not null,
  up_to_xid xid8 not null, -- what was committed up to here, in the order of (xid, id), is in it or in one before it
  up_to_id bigint not null,
  heads text not null, -- JSON: [[chain, chain id, sequence, hash], ...]; this very text was signed
  key_id text not null,
  hash bytea not null,
  signature bytea not null,
  -- Numbers of transactions mean something in one cluster only: a dump may have been restored into another since.
  cluster text not null default (pg_control_system()).system_identifier::text,
  after_id bigint not null default 0, -- up to here checkpoints of other clusters signed, whatever their numbers of transactions
  constraint checkpoints_number_check check (number >= 1),
  constraint checkpoints_hash_check check (octet_length(hash) = 32),
  constraint checkpoints_signature_check check (octet_length(signature) = 64)
);
