-- Subjects who withdraw, and subjects who are erased: what they took part in ends, and later, asked for and confirmed by
-- hand, everything that says something of them is destroyed. Ids, states, statuses and times stay, and so does the chain.
--
-- Sizes: some in a hundred subjects withdraw, and few of them are erased. What reads all subjects, to hold the rule against
-- them and to find these few, comes in the next file.

alter table subjects
  add column withdrawn_at date, -- the day that people gave
  add column erased_at timestamptz(3),
  add constraint subjects_erased_check check (erased_at is null or withdrawn_at is not null) not valid;

-- By which request an answer was made: its entries of the history tell what it is about.
alter table idempotency_keys add column request_id text;

-- The first step. Why it was asked for stands in the history, beside the chain, and is destroyed with the rest.
create table erasure_requests (
  id bigint generated always as identity constraint erasure_requests_pk primary key,
  subject_id bigint not null,
  requested_by bigint not null,
  requested_at timestamptz(3) not null default clock_timestamp(),
  constraint erasure_requests_subject_fk foreign key (subject_id) references subjects (id),
  constraint erasure_requests_user_fk foreign key (requested_by) references users (id)
);

-- The requests of a subject, the latest first.
create index erasure_requests_subject_index on erasure_requests (subject_id, id);

-- The second step, and its certificate. Written by erase_subject alone, never changed.
create table erasures (
  id bigint constraint erasures_pk primary key, -- that of the request
  subject_id bigint not null,
  erased_by bigint not null,
  erased_at timestamptz(3) not null,
  destroyed jsonb not null, -- by table, how many rows were deleted or emptied
  history_id bigint not null, -- the entry in the chain of the subject
  sequence bigint not null,
  hash bytea not null,
  constraint erasures_subject_unique unique (subject_id),
  constraint erasures_request_fk foreign key (id) references erasure_requests (id),
  constraint erasures_subject_fk foreign key (subject_id) references subjects (id),
  constraint erasures_user_fk foreign key (erased_by) references users (id),
  constraint erasures_destroyed_check check (jsonb_typeof(destroyed) = 'object'),
  constraint erasures_hash_check check (octet_length(hash) = 32)
);

-- As before, and the day of a withdrawal and the id of an erasure.
create or replace function history_kept_names(chain text) returns text[] language sql immutable as $$
  select case chain
    when 'experiment' then '{id,experiment_id,subject_id,cohort_id,workflow_id,scantype_id,transition_id,action_id,retry_of,
      state,state_id,state_label,status,result,success,incident,late_report,start_time,end_time,version,withdrawn_at,
      erasure_id}'::text[]
    when 'subject' then '{id,cohort_id,version,withdrawn_at,erasure_id}'::text[]
    when 'users' then '{id,active,create_time,role,has_role,roles,session_id,password,version}'::text[]
  end
$$;

-- As before, but for one who was erased no key is made again: whoever would write down something personal of them is
-- refused, whatever way they came. It costs nothing as long as the key is there.
create or replace function personal_key(of_person text, of_id bigint) returns bytea language plpgsql as $$
declare
  found_key bytea;
begin
  select personal_keys.key into found_key from public.personal_keys
    where personal_keys.person = of_person and personal_keys.person_id = of_id;
  if found then return found_key; end if;
  if of_person = 'subject'
    and exists (select from public.subjects where subjects.id = of_id and subjects.erased_at is not null) then
    raise exception 'subject % was erased', of_id using errcode = 'check_violation', constraint = 'personal_keys_erased_check';
  end if;
  insert into public.personal_keys (person, person_id, key)
    values (of_person, of_id, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
    on conflict do nothing;
  select personal_keys.key into found_key from public.personal_keys
    where personal_keys.person = of_person and personal_keys.person_id = of_id;
  return found_key;
end $$;

-- What is to be erased, by its ids. Experiments that left the subject belong to somebody else now; of their actions those are
-- meant of which something was recorded before.
create type erased_ids as (
  subject_id bigint,
  experiments bigint[],
  left_experiments bigint[],
  actions bigint[],
  left_actions bigint[],
  executions bigint[],
  scans bigint[],
  notes bigint[]
);

create function ids_to_erase(of_subject bigint) returns erased_ids language plpgsql as $$
declare
  these erased_ids;
begin
  these.subject_id := of_subject;
  these.experiments := array(select id from experiments where subject_id = of_subject);
  these.left_experiments := array(
    select distinct chain_id from history
    where person = 'subject' and person_id = of_subject and chain = 'experiment' and chain_id <> all(these.experiments));
  these.actions := array(select id from actions where experiment_id = any(these.experiments));
  these.left_actions := array(
    select id from actions where experiment_id = any(these.left_experiments) and id in (
      select case object_kind when 'action' then object_id else (after ->> 'action_id')::bigint end from history
      where person = 'subject' and person_id = of_subject and chain = 'experiment'));
  these.executions := array(select id from callback_executions where action_id = any(these.actions));
  these.scans := array(select id from scans where experiment_id = any(these.experiments));
  these.notes := array(select id from notes where experiment_id = any(these.experiments));
  return these;
end $$;

-- Answers that are kept for a repeated request: those that it made or that a program with a secret of its executions got,
-- those that name one of its things by address, and those that hold one of its labels, also of those that it had before.
-- Rather one too many: whoever repeats such a request is told that the key was used, and nothing is done twice. Labels are
-- compared as JSON writes them, whole: a short one is part of much else.
create function forget_answers(these erased_ids) returns bigint language plpgsql as $$
declare
  forgotten bigint;
  addresses text := format('/(subjects/%s|experiments/(%s)|actions/(%s)|callback_executions/(%s)|scans/(%s)|notes/(%s))(/|"|$)',
    these.subject_id, array_to_string(these.experiments || these.left_experiments, '|'), array_to_string(these.actions, '|'),
    array_to_string(these.executions, '|'), array_to_string(these.scans, '|'), array_to_string(these.notes, '|'));
  labels text[] := array(
    select to_json(known.label)::text from (
      select label from subjects where id = these.subject_id
      union select label from experiments where id = any(these.experiments)
      union select told.label from history join history_values on history_values.history_id = history.id
        cross join lateral (values (history_values.before ->> 'label'), (history_values.after ->> 'label')) as told (label)
      where history.person = 'subject' and history.person_id = these.subject_id
        or history.chain = 'experiment' and history.chain_id = any(these.experiments)) as known
    where known.label is not null);
begin
  update idempotency_keys as kept
    set body = null, request_hash = sha256(uuid_send(gen_random_uuid()))
    where kept.actor_kind = 'execution' and kept.actor_id = any(these.executions)
      or kept.request_id in (
        select history.request_id from history
        where history.chain = 'subject' and history.chain_id = these.subject_id
          or history.chain = 'experiment' and history.chain_id = any(these.experiments)
          or history.person = 'subject' and history.person_id = these.subject_id)
      or kept.location ~ addresses or kept.body ~ addresses
      or exists (select from unnest(labels) as label where position(label in kept.body) > 0);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

-- What ran, and what was said of it. Attempts come first, as wherever both are written; with them go the secrets, so that
-- whoever still runs one can report nothing.
create function forget_runs(these erased_ids) returns jsonb language plpgsql as $$
declare
  counts jsonb := '{}';
  gone bigint;
begin
  delete from execution_attempts where execution_id = any(these.executions);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('execution_attempts', gone);
  update callback_executions
    set result_values = '{}', run_log = '', result_log = '', last_error = null, version = version + 1
    where id = any(these.executions);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('callback_executions', gone);
  update actions set freetext = '', return_value = '', inputs = null, version = version + 1
    where id = any(these.actions || these.left_actions);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('actions', gone);
  update incidents set detail = '' where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('incidents', gone);
  delete from pgboss.job
    where id = any(array(select lpad(to_hex(one), 32, '0')::uuid from unnest(these.executions) as one))
      or data ->> 'execution_id' = any(these.executions::text[]);
  get diagnostics gone = row_count;
  return counts || jsonb_build_object('jobs', gone);
end $$;

-- What people and programs wrote down.
create function forget_study(these erased_ids) returns jsonb language plpgsql as $$
declare
  counts jsonb := '{}';
  gone bigint;
begin
  delete from external_subject_links where subject_id = these.subject_id;
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('external_subject_links', gone);
  delete from external_experiment_links where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('external_experiment_links', gone);
  delete from experiment_variables where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('experiment_variables', gone);
  delete from scans where id = any(these.scans);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('scans', gone);
  delete from notes where id = any(these.notes);
  get diagnostics gone = row_count;
  return counts || jsonb_build_object('notes', gone);
end $$;

-- What was recorded. In the chains of its experiments nothing is left, also where it was recorded of somebody else: the
-- experiment was put right then, and what was written down before is of this subject.
create function forget_record(these erased_ids) returns jsonb language plpgsql as $$
declare
  counts jsonb := '{}';
  gone bigint;
begin
  update events set data = '{}'
    where data <> '{}' and (object_kind = 'subject' and object_id = these.subject_id
      or object_kind = 'experiment' and object_id = any(these.experiments)
      or object_kind = 'experiment' and object_id = any(these.left_experiments)
        and data ->> 'action_id' = any(these.left_actions::text[])
      or object_kind = 'action' and object_id = any(these.actions || these.left_actions)
      or object_kind = 'callback_execution' and object_id = any(these.executions)
      or object_kind = 'scan' and object_id = any(these.scans)
      or object_kind = 'note' and object_id = any(these.notes));
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('events', gone);
  delete from history_values where history_id in (
    select id from history where person = 'subject' and person_id = these.subject_id
    union all select id from history where chain = 'experiment' and chain_id = any(these.experiments));
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('history_values', gone);
  delete from personal_keys where person = 'subject' and person_id = these.subject_id;
  get diagnostics gone = row_count;
  return counts || jsonb_build_object('personal_keys', gone);
end $$;

-- Names that say nothing but the id. One that somebody took already is lengthened; experiments change by way of names that
-- nobody has, as no two may have the same meanwhile.
create function forget_names(these erased_ids) returns void language plpgsql as $$
declare
  new_label text := 'erased-' || these.subject_id;
begin
  while exists (
    select from subjects as other join subjects as this on this.cohort_id = other.cohort_id and this.id = these.subject_id
    where other.label = new_label and other.id <> this.id)
  loop
    new_label := new_label || '-';
  end loop;
  update subjects
    set label = new_label, date_of_birth = null, erased_at = clock_timestamp(), version = version + 1
    where id = these.subject_id;
  update experiments set label = gen_random_uuid()::text where id = any(these.experiments);
  update experiments set label = 'erased-' || id, scandate = null, version = version + 1 where id = any(these.experiments);
end $$;

-- Erases a subject, all of it or nothing: the only way for the application to destroy what it may only add to. It holds for
-- a subject who withdrew, a request of the last day, and the label typed again; the caller says the same in better words.
create function erase_subject(of_request bigint, typed_label text, by_user bigint, in_request text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted erasure_requests;
  subject subjects;
  these erased_ids;
  counts jsonb;
  entry history;
begin
  select * into wanted from erasure_requests
    where id = of_request and requested_at > clock_timestamp() - interval '24 hours';
  select * into subject from subjects where id = wanted.subject_id for update;
  if subject.withdrawn_at is null or subject.erased_at is not null or subject.label is distinct from typed_label then
    raise exception 'request % does not allow to erase anybody', of_request;
  end if;
  -- Looked for again under the locks: what was being written meanwhile is there then.
  these := ids_to_erase(subject.id);
  perform from experiments where id = any(these.experiments || these.left_experiments) order by id for update;
  these := ids_to_erase(subject.id);
  counts := jsonb_build_object('idempotency_keys', forget_answers(these), 'subjects', 1,
    'experiments', cardinality(these.experiments));
  counts := counts || forget_runs(these) || forget_study(these) || forget_record(these);
  perform forget_names(these);
  insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, after, reason)
    select 'user', by_user, in_request, 'eraseSubject', 'experiment', one, jsonb_build_object('erasure_id', of_request), ''
    from unnest(these.experiments) as one order by one;
  insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, after, reason)
    values ('user', by_user, in_request, 'eraseSubject', 'subject', subject.id,
      jsonb_build_object('erasure_id', of_request), '')
    returning * into entry;
  insert into events (kind, object_kind, object_id, cohort_id)
    select 'eraseSubject', 'experiment', one, subject.cohort_id from unnest(these.experiments) as one
    union all select 'eraseSubject', 'subject', subject.id, subject.cohort_id;
  insert into erasures (id, subject_id, erased_by, erased_at, destroyed, history_id, sequence, hash)
    values (of_request, subject.id, by_user, entry.at, counts, entry.id, entry.sequence, entry.hash);
end $$;

revoke execute on function erase_subject(bigint, text, bigint, text), ids_to_erase(bigint), forget_answers(erased_ids),
  forget_runs(erased_ids), forget_study(erased_ids), forget_record(erased_ids), forget_names(erased_ids) from public;
