-- Printed from the migrated database by: pg_virtualenv -v 15 node --conditions=source tools/print-schema.ts
--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: pg_trgm; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

--
-- Name: EXTENSION pg_trgm; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';

--
-- Name: erased_ids; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.erased_ids AS (
	subject_id bigint,
	experiments bigint[],
	left_experiments bigint[],
	actions bigint[],
	left_actions bigint[],
	executions bigint[],
	scans bigint[],
	notes bigint[]
);

--
-- Name: chain_history(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.chain_history() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

--
-- Name: check_external_system(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.check_external_system() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  delete from external_system_checks where external_system_id = new.id;
  insert into external_system_checks (external_system_id) select new.id where new.url <> '';
  return null;
end $$;

--
-- Name: count_changed_experiment(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_changed_experiment() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select change.cohort_id, 'visit', visit_of(subjects.label, change.label), change.amount
    from (values (old.subject_id, old.cohort_id, old.label, -1), (new.subject_id, new.cohort_id, new.label, 1))
      as change (subject_id, cohort_id, label, amount)
    join subjects on subjects.id = change.subject_id
    where subjects.withdrawn_at is null;
  return null;
end $$;

--
-- Name: count_changed_subject(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_changed_subject() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select change.cohort_id, change.kind, '', change.amount
    from (values (old.cohort_id, 'subjects', -1), (new.cohort_id, 'subjects', 1),
      (old.cohort_id, 'withdrawn', -(old.withdrawn_at is not null)::integer),
      (new.cohort_id, 'withdrawn', (new.withdrawn_at is not null)::integer)) as change (cohort_id, kind, amount)
    where change.amount <> 0 and (old.cohort_id <> new.cohort_id or change.kind = 'withdrawn');
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select old.cohort_id, 'visit', visit_of(subject.label, experiments.label) as visit, sum(subject.amount)
    from experiments cross join (values (old.label, old.withdrawn_at, -1), (new.label, new.withdrawn_at, 1))
      as subject (label, withdrawn_at, amount)
    where experiments.subject_id = new.id and subject.withdrawn_at is null
    group by 3 having sum(subject.amount) <> 0;
  return null;
end $$;

--
-- Name: count_new_experiments(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_new_experiments() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select added.cohort_id, 'visit', visit_of(subjects.label, added.label) as visit, count(*)
    from added join subjects on subjects.id = added.subject_id
    where subjects.withdrawn_at is null
    group by added.cohort_id, 3;
  return null;
end $$;

--
-- Name: count_new_subjects(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_new_subjects() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into cohort_count_deltas (cohort_id, kind, visit, amount)
    select cohort_id, 'subjects', '', count(*) from added group by cohort_id
    union all
    select cohort_id, 'withdrawn', '', count(*) from added where withdrawn_at is not null group by cohort_id;
  return null;
end $$;

--
-- Name: erase_subject(bigint, text, bigint, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.erase_subject(of_request bigint, typed_label text, by_user bigint, in_request text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET work_mem TO '64MB'
    AS $$
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

--
-- Name: experiment_search_text(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.experiment_search_text(of_experiment bigint) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  select E'\n' || string_agg(translate(lower(part.text collate "C"), E'\n\r', '  '), E'\n' order by part.place, part.text)
  from (
    select 1 as place, experiments.label as text from experiments where experiments.id = of_experiment
    union all
    select 2, subjects.label from experiments join subjects on subjects.id = experiments.subject_id
    where experiments.id = of_experiment
    union all
    select 3, links.external_id from external_experiment_links as links where links.experiment_id = of_experiment
    union all
    select 4, links.external_id from experiments
    join external_subject_links as links on links.subject_id = experiments.subject_id where experiments.id = of_experiment
  ) as part
$$;

--
-- Name: fold_after_erasure(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.fold_after_erasure() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform fold_cohort_counts(null);
  return null;
end $$;

--
-- Name: fold_cohort_counts(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.fold_cohort_counts(most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
declare
  folded bigint;
begin
  with chosen as materialized (
    select waiting.ctid as place from cohort_count_deltas as waiting limit most
  ), taken as (
    delete from cohort_count_deltas using chosen where cohort_count_deltas.ctid = chosen.place
    returning cohort_count_deltas.cohort_id, cohort_count_deltas.kind, cohort_count_deltas.visit, cohort_count_deltas.amount
  ), added as (
    insert into cohort_counts as counts (cohort_id, kind, visit, amount)
    select taken.cohort_id, taken.kind, taken.visit, sum(taken.amount) from taken
    group by taken.cohort_id, taken.kind, taken.visit having sum(taken.amount) <> 0
    order by taken.cohort_id, taken.kind, taken.visit
    on conflict (cohort_id, kind, visit) do update set amount = counts.amount + excluded.amount)
  select count(*) into folded from taken;
  delete from cohort_counts where amount = 0;
  return folded;
end $$;

--
-- Name: forget_answers(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_answers(these public.erased_ids) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  forgotten bigint;
begin
  with entries as materialized (
    select entry.id, entry.request_id from history_to_erase(these) as entry
  ), labels as materialized (
    select substr(quoted.label, 2, length(quoted.label) - 2) as label
    from (
      select label from subjects where id = these.subject_id
      union select label from experiments where id = any(these.experiments)
      union select told.label from history_values
        cross join lateral (values (history_values.before ->> 'label'), (history_values.after ->> 'label')) as told (label)
        where history_values.history_id = any(array(select entries.id from entries))
    ) as known cross join lateral (select without_escapes(to_json(known.label)::text) as label) as quoted
    where known.label is not null
  ), objects as materialized (
    select objects.object_kind || 's/' || objects.object_id as path from objects_to_erase(these) as objects
    union all select 'experiments/' || unnest(these.left_experiments)
  ), found as materialized (
    select kept.actor_kind, kept.actor_id, kept.key from idempotency_keys as kept
    left join lateral (
      select part.kind || '/' || part.id as path
      from unnest(string_to_array(kept.location, '/'), (string_to_array(kept.location, '/'))[2:]) as part (kind, id)
      where part.kind in ('subjects', 'experiments', 'actions', 'callback_executions', 'scans', 'notes')
        and translate(part.id, '0123456789', '') = ''
      limit 1) as about on true
    where kept.actor_kind = 'execution' and kept.actor_id in (select unnest(these.executions))
      or kept.request_id in (select entries.request_id from entries)
      or about.path in (select objects.path from objects)
      or about.path is null and exists (
        select from unnest(string_to_array(without_escapes(kept.body), '"')) as string
        where string in (select labels.label from labels)
          or position('/' in string) > 0 and exists (
            select from unnest(string_to_array(string, '/'), (string_to_array(string, '/'))[2:]) as part (kind, id)
            where part.kind || '/' || part.id in (select objects.path from objects) or part.kind is null)))
  update idempotency_keys as kept set body = null, request_hash = sha256(uuid_send(gen_random_uuid()))
  from found where kept.actor_kind = found.actor_kind and kept.actor_id = found.actor_id and kept.key = found.key;
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

--
-- Name: forget_bulk_operations(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_bulk_operations(these public.erased_ids) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  gone bigint;
begin
  with names as materialized (
    select distinct words_of(name) as words from names_to_erase(these) as name
  ), texts as materialized (
    select bulk_operations.id, words_of(concat_ws(' ', bulk_operations.query, bulk_operations.reason,
      bulk_operations.change ->> 'text', bulk_operations.change ->> 'variables')) as words
    from bulk_operations
  ), forgotten as (
    update bulk_operations
    set query = null, reason = '', change = bulk_operations.change - 'text' - 'variables',
      status = case when ended_at is null then 'stopped' else status end,
      stopped_because = case when ended_at is null then 'A subject that it concerns was erased.' else stopped_because end,
      ended_at = coalesce(ended_at, clock_timestamp())
    where bulk_operations.id in (
      select texts.id from texts where exists (
        select from names where names.words <> '  ' and strpos(texts.words, names.words) > 0))
      or (select bool_and(found.experiment_id = any(these.experiments)) from (
        select bulk_items.experiment_id from bulk_items
        where bulk_items.operation_id = bulk_operations.id and bulk_items.cohort_id is not null
        order by bulk_items.number limit cardinality(these.experiments) + 1) as found)
    returning bulk_operations.id
  ), keys as (
    update idempotency_keys as kept set request_hash = sha256(uuid_send(gen_random_uuid()))
    from forgotten
    where kept.operation in ('createBulkOperation', 'applyBulkOperation')
      and split_part(kept.location, '/bulk_operations/', 2) = forgotten.id::text
  )
  select count(*) into gone from forgotten;
  return gone;
end $$;

--
-- Name: forget_imports(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_imports(these public.erased_ids) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  because constant text := 'A subject that it concerns was erased.';
  names text[]; -- in the cohort of the subject
  long_names text[]; -- in other cohorts
  own_cohort bigint;
  gone_lines bigint;
  gone_imports bigint;
  gone_mappings bigint;
begin
  select array_remove(array(select distinct words_of(name) from names_to_erase(these) as name), '  ') into names;
  select array(select name from unnest(names) as name where char_length(btrim(name)) >= 4) into long_names;
  select subjects.cohort_id into own_cohort from subjects where subjects.id = these.subject_id;
  perform from imports where ended_at is null order by id for update;
  update imports set status = 'stopped', stopped_because = 'A subject was erased during the upload. Upload the file again.',
    ended_at = clock_timestamp()
  where status = 'uploading';
  with mentioned as materialized (
    select import_lines.import_id, import_lines.line from import_lines join imports on imports.id = import_lines.import_id
    where mentions(texts_of(import_lines.cells) || array[import_lines.subject, import_lines.experiment],
      case when imports.cohort_id = own_cohort then names else long_names end)
  ), faults as (
    delete from import_faults using mentioned
    where import_faults.import_id = mentioned.import_id
      and import_faults.number between mentioned.line * 1000::bigint and mentioned.line * 1000::bigint + 999
  ), keys as (
    delete from import_keys using mentioned
    where import_keys.import_id = mentioned.import_id and import_keys.line = mentioned.line
  ), stopped as (
    update imports set status = 'stopped', stopped_because = because, ended_at = clock_timestamp()
    where imports.id in (select mentioned.import_id from mentioned) and imports.ended_at is null
  ), lines as (
    delete from import_lines using mentioned
    where import_lines.import_id = mentioned.import_id and import_lines.line = mentioned.line returning 1
  )
  select count(*) into gone_lines from lines;
  -- A fault in another line can name the owner of an ID.
  update import_faults set detail = because from imports
  where imports.id = import_faults.import_id
    and mentions(array[import_faults.detail], case when imports.cohort_id = own_cohort then names else long_names end);
  -- A file without a header has the values of its first line as headers.
  update imports set file_name = '', mapping_name = null,
    headers = array(select 'column ' || n from generate_series(1, cardinality(imports.headers)) as n),
    mapping = (select jsonb_agg(jsonb_build_object('target', 'ignored')) from unnest(imports.headers)),
    status = case when ended_at is null then 'stopped' else status end,
    stopped_because = case when ended_at is null then because else stopped_because end,
    ended_at = coalesce(ended_at, clock_timestamp())
  where mentions(array[imports.file_name, imports.mapping_name, imports.mapping::text] || imports.headers,
    case when imports.cohort_id = own_cohort then names else long_names end);
  get diagnostics gone_imports = row_count;
  delete from import_mappings where mentions(array[import_mappings.name, import_mappings.columns::text],
    case when import_mappings.cohort_id = own_cohort then names else long_names end);
  get diagnostics gone_mappings = row_count;
  return jsonb_build_object('import_lines', gone_lines, 'imports', gone_imports, 'import_mappings', gone_mappings);
end $$;

--
-- Name: forget_names(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_names(these public.erased_ids) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

--
-- Name: forget_record(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_record(these public.erased_ids) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  counts jsonb := '{}';
  gone bigint;
begin
  update events set data = '{}'
    where events.data <> '{}'
      and events.xid = any(array(
        select changes.xid from (
          select entry.xid from history_to_erase(these) as entry
          union
          select history.xid from history where history.chain = 'experiment' and history.chain_id = any(these.left_experiments)
        ) as changes
        where changes.xid >= (select min(oldest.xid) from events as oldest)))
      and ((events.object_kind, events.object_id) in (
          select objects.object_kind, objects.object_id from objects_to_erase(these) as objects)
        or events.object_kind = 'action' and events.object_id = any(these.left_actions)
        or events.object_kind = 'experiment' and events.object_id = any(these.left_experiments)
          and events.data ->> 'action_id' = any(these.left_actions::text[]));
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('events', gone);
  delete from history_values where history_id = any(array(select entry.id from history_to_erase(these) as entry));
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('history_values', gone);
  delete from personal_keys where person = 'subject' and person_id = these.subject_id;
  get diagnostics gone = row_count;
  return counts || jsonb_build_object('personal_keys', gone);
end $$;

--
-- Name: forget_runs(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_runs(these public.erased_ids) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  counts jsonb := '{}';
  gone bigint;
begin
  delete from execution_attempts where execution_id = any(these.executions);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('execution_attempts', gone);
  update callback_executions
    set result_values = '{}', run_log = '', result_log = '', last_error = null, cause = null, cause_key = null,
      version = version + 1
    where id = any(these.executions);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('callback_executions', gone);
  update actions set freetext = '', return_value = '', inputs = null, version = version + 1
    where id = any(these.actions || these.left_actions);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('actions', gone);
  update incidents set detail = '', cause_group = null where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('incidents', gone);
  delete from pgboss.job
    where id in (select lpad(to_hex(one), 32, '0')::uuid from unnest(these.executions) as one)
      or data ->> 'execution_id' in (select one::text from unnest(these.executions) as one);
  get diagnostics gone = row_count;
  return counts || jsonb_build_object('jobs', gone);
end $$;

--
-- Name: forget_study(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_study(these public.erased_ids) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  counts jsonb := jsonb_build_object('views', forget_views(these), 'bulk_operations', forget_bulk_operations(these)) || forget_imports(these);
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
  delete from follow_ups where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('follow_ups', gone);
  delete from notes where id = any(these.notes);
  get diagnostics gone = row_count;
  return counts || jsonb_build_object('notes', gone);
end $$;

--
-- Name: forget_views(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_views(these public.erased_ids) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  gone bigint;
begin
  with names as materialized (
    select distinct words_of(name) as words from names_to_erase(these) as name
  ), texts as materialized (
    select views.id, words_of(views.name || ' ' || views.query || ' ' || array_to_string(views.columns, ' ')) as words from views
  )
  delete from views where views.id in (
    select texts.id from texts where exists (
      select from names where names.words <> '  ' and strpos(texts.words, names.words) > 0));
  get diagnostics gone = row_count;
  return gone;
end $$;

--
-- Name: history_chain_of(text, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.history_chain_of(object_kind text, object_id bigint, OUT chain text, OUT chain_id bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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

--
-- Name: history_kept_names(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.history_kept_names(chain text) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
  select case chain
    when 'experiment' then '{id,experiment_id,subject_id,cohort_id,workflow_id,scantype_id,transition_id,action_id,retry_of,
      state,state_id,state_label,status,result,success,incident,late_report,start_time,end_time,version,withdrawn_at,
      erasure_id,bulk_operation_id,import_id}'::text[]
    when 'subject' then '{id,cohort_id,version,withdrawn_at,erasure_id,import_id}'::text[]
    when 'users' then '{id,active,create_time,role,has_role,roles,session_id,password,version}'::text[]
  end
$$;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: history; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.history (
    id bigint NOT NULL,
    at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    actor_kind text NOT NULL,
    actor_id bigint,
    request_id text,
    operation text NOT NULL COLLATE pg_catalog."C",
    object_kind text NOT NULL COLLATE pg_catalog."C",
    object_id bigint NOT NULL,
    before jsonb,
    after jsonb,
    reason text,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    chain text NOT NULL COLLATE pg_catalog."C",
    chain_id bigint NOT NULL,
    sequence bigint NOT NULL,
    person text COLLATE pg_catalog."C",
    person_id bigint,
    values_hash bytea,
    hash bytea NOT NULL,
    CONSTRAINT history_actor_id_check CHECK (((actor_id IS NOT NULL) = (actor_kind = ANY (ARRAY['user'::text, 'execution'::text])))),
    CONSTRAINT history_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'execution'::text, 'engine'::text, 'operator'::text]))),
    CONSTRAINT history_names_check CHECK (((operation <> ''::text) AND (object_kind <> ''::text)))
);

--
-- Name: COLUMN history.xid; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.history.xid IS 'made by the database';

--
-- Name: COLUMN history.chain; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.history.chain IS 'made by the database';

--
-- Name: COLUMN history.chain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.history.chain_id IS 'made by the database';

--
-- Name: COLUMN history.sequence; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.history.sequence IS 'made by the database';

--
-- Name: COLUMN history.person; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.history.person IS 'made by the database';

--
-- Name: COLUMN history.person_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.history.person_id IS 'made by the database';

--
-- Name: COLUMN history.values_hash; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.history.values_hash IS 'made by the database';

--
-- Name: COLUMN history.hash; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.history.hash IS 'made by the database';

--
-- Name: history_to_erase(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.history_to_erase(these public.erased_ids) RETURNS SETOF public.history
    LANGUAGE sql STABLE
    AS $$
  select history.* from history where history.chain = 'subject' and history.chain_id = these.subject_id
  union all
  select history.* from history where history.chain = 'experiment' and history.chain_id = any(these.experiments)
  union all
  select history.* from history
  where history.person = 'subject' and history.person_id = these.subject_id
    and not (history.chain = 'subject' and history.chain_id = these.subject_id)
    and not (history.chain = 'experiment' and history.chain_id = any(these.experiments))
$$;

--
-- Name: ids_to_erase(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.ids_to_erase(of_subject bigint) RETURNS public.erased_ids
    LANGUAGE plpgsql
    AS $$
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

--
-- Name: mentions(text[], text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mentions(texts text[], names text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select exists (
    select from (select words_of(array_to_string(texts, E' \x01 ')) as words offset 0) as given, unnest(names) as name
    where strpos(given.words, name) > 0)
$$;

--
-- Name: names_to_erase(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.names_to_erase(these public.erased_ids) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
  select subjects.label from subjects where subjects.id = these.subject_id
  union
  select known.name from (
    select external_subject_links.external_id as name from external_subject_links
    where external_subject_links.subject_id = these.subject_id
    union
    select external_experiment_links.external_id from external_experiment_links
    where external_experiment_links.experiment_id = any(these.experiments)
    union
    select experiments.label from experiments where experiments.id = any(these.experiments)
    union
    select told.name from history_to_erase(these) as entry
    cross join lateral (
      select history_values.before, history_values.after from history_values where history_values.history_id = entry.id offset 0) as stored
    cross join lateral (values (stored.before), (stored.after)) as side (values)
    cross join lateral (
      select side.values ->> 'label' as name
      union all
      select ids.value from jsonb_each_text(
        case jsonb_typeof(side.values -> 'external_ids') when 'object' then side.values -> 'external_ids' else '{}' end) as ids
    ) as told
  ) as known
  where known.name is not null and (
    select other.id from experiments as other
    where lower(other.label) = lower(known.name collate "C") and other.id <> all(these.experiments) limit 1) is null
$$;

--
-- Name: objects_to_erase(public.erased_ids); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.objects_to_erase(these public.erased_ids) RETURNS TABLE(object_kind text, object_id bigint)
    LANGUAGE sql STABLE
    AS $$
  select 'subject', these.subject_id
  union all select 'experiment', unnest(these.experiments)
  union all select 'action', unnest(these.actions)
  union all select 'callback_execution', unnest(these.executions)
  union all select 'scan', unnest(these.scans)
  union all select 'note', unnest(these.notes)
$$;

--
-- Name: personal_key(text, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.personal_key(of_person text, of_id bigint) RETURNS bytea
    LANGUAGE plpgsql
    AS $$
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

--
-- Name: rebuild_insights(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rebuild_insights() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform from insight_progress for update;
  truncate insight_experiments, insight_moves, insight_levels, insight_stays, insight_runs, insight_causes;
  update insight_progress set rebuilt_to = 0, xid = pg_snapshot_xmin(pg_current_snapshot()), event_id = 0;
end $$;

--
-- Name: record_callback_systems(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.record_callback_systems() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  delete from callback_systems using added where callback_systems.callback_id = added.callback_id;
  insert into callback_systems (callback_id, system_name, in_capitals)
    select added.callback_id, named.system_name, named.in_capitals
    from added cross join lateral systems_in_callback(added.function, added.callback_arguments) as named;
  return null;
end $$;

--
-- Name: refresh_experiment_search(bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refresh_experiment_search(of_experiments bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into experiment_search (experiment_id, cohort_id, text)
    select id, cohort_id, '' from experiments where id = any(of_experiments) order by id
    on conflict do nothing;
  perform from experiment_search where experiment_id = any(of_experiments) order by experiment_id for no key update;
  update experiment_search set text = fresh.text
    from (select id, experiment_search_text(id) as text from unnest(of_experiments) as id) as fresh
    where experiment_id = fresh.id and experiment_search.text <> fresh.text;
end $$;

--
-- Name: set_values_aside(public.history, text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.set_values_aside(entry public.history, kept text[]) RETURNS public.history
    LANGUAGE plpgsql
    AS $$
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

--
-- Name: systems_in_callback(text, json); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.systems_in_callback(function text, arguments json) RETURNS TABLE(system_name text, in_capitals boolean)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  select named.name, named.in_capitals from (
    select regexp_replace(coalesce(btrim(found[1]), found[2]), '\\(["\\])', '\1', 'g') as name, found[1] is null as in_capitals
    from regexp_matches(arguments::text,
      '\{\{\s*(?:external_systems|(?:experiment|subject)\.external_ids)\.([^{}]*)\}\}|\$([A-Za-z_][A-Za-z0-9_]*)', 'g') as found
    union
    select coalesce(arguments ->> parameter.name, parameter.by_default), false
    from (values ('taskmanager_external_system_name', 'TASKMANAGER'), ('xnat_external_system', 'XNAT')) as parameter (name, by_default)
    where function = 'create_task'
  ) as named where char_length(named.name) between 1 and 100
$_$;

--
-- Name: texts_of(jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.texts_of(cells jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
  select array(select jsonb_array_elements_text(cells))
$$;

--
-- Name: visit_of(text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.visit_of(subject_label text, experiment_label text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case
    when starts_with(experiment_label, subject_label)
      and ltrim(substr(experiment_label, char_length(subject_label) + 1), E' \t-_.:/·')
        not in ('', substr(experiment_label, char_length(subject_label) + 1))
    then ltrim(substr(experiment_label, char_length(subject_label) + 1), E' \t-_.:/·')
    else experiment_label
  end
$$;

--
-- Name: without_escapes(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.without_escapes(json_text text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select replace(replace(json_text, '\\', E'\x01'), '\"', E'\x02')
$$;

--
-- Name: words_of(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.words_of(given text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select ' ' || btrim(regexp_replace(lower(given collate "C"), '[[:punct:][:space:]]+', ' ', 'g')) || ' '
$$;

--
-- Name: write_experiment_link_search(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.write_experiment_link_search() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform refresh_experiment_search(array[old.experiment_id, new.experiment_id]);
  return null;
end $$;

--
-- Name: write_experiment_search(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.write_experiment_search() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform from subjects where id = new.subject_id for share;
  if tg_op = 'INSERT' then
    insert into experiment_search (experiment_id, cohort_id, text)
      values (new.id, new.cohort_id, experiment_search_text(new.id));
  else
    perform refresh_experiment_search(array[new.id]);
  end if;
  return null;
end $$;

--
-- Name: write_subject_link_search(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.write_subject_link_search() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform from subjects where id in (old.subject_id, new.subject_id) order by id for no key update;
  perform refresh_experiment_search(array(select id from experiments where subject_id in (old.subject_id, new.subject_id)));
  return null;
end $$;

--
-- Name: write_subject_search(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.write_subject_search() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform refresh_experiment_search(array(select id from experiments where subject_id = new.id));
  return null;
end $$;

--
-- Name: actions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.actions (
    id bigint NOT NULL,
    experiment_id bigint NOT NULL,
    sequence bigint NOT NULL,
    transition_id bigint NOT NULL,
    start_time timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    end_time timestamp(3) with time zone,
    success boolean DEFAULT false NOT NULL,
    return_value text DEFAULT ''::text NOT NULL,
    freetext text DEFAULT ''::text NOT NULL,
    retry_of bigint,
    carried bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    actor_kind text NOT NULL,
    actor_id bigint,
    inputs jsonb,
    version bigint DEFAULT 1 NOT NULL,
    bulk boolean DEFAULT false NOT NULL,
    CONSTRAINT actions_actor_id_check CHECK (((actor_id IS NOT NULL) = (actor_kind = ANY (ARRAY['user'::text, 'execution'::text])))),
    CONSTRAINT actions_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'execution'::text, 'engine'::text, 'operator'::text]))),
    CONSTRAINT actions_freetext_check CHECK ((char_length(freetext) <= 10000)),
    CONSTRAINT actions_retry_check CHECK ((retry_of < id)),
    CONSTRAINT actions_sequence_check CHECK ((sequence >= 1)),
    CONSTRAINT actions_times_check CHECK ((end_time >= start_time))
);

--
-- Name: actions_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.actions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.actions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: api_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_tokens (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    name text NOT NULL,
    permissions text[] NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT api_tokens_expires_at_check CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '367 days'::interval)))),
    CONSTRAINT api_tokens_last_used_at_check CHECK ((last_used_at >= created_at)),
    CONSTRAINT api_tokens_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255))),
    CONSTRAINT api_tokens_permissions_check CHECK ((array_position(permissions, NULL::text) IS NULL)),
    CONSTRAINT api_tokens_revoked_at_check CHECK ((revoked_at >= created_at)),
    CONSTRAINT api_tokens_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

--
-- Name: api_tokens_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.api_tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.api_tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: attention_visits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.attention_visits (
    user_id bigint NOT NULL,
    last_at timestamp(3) with time zone NOT NULL,
    new_since timestamp(3) with time zone
);

--
-- Name: begun_sign_ins; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.begun_sign_ins (
    secret_hash bytea NOT NULL,
    return_to text NOT NULL,
    expires_at timestamp(3) with time zone DEFAULT (now() + '00:10:00'::interval) NOT NULL,
    CONSTRAINT begun_sign_ins_return_to_check CHECK (((char_length(return_to) <= 1000) AND ("left"(return_to, 1) = '/'::text))),
    CONSTRAINT begun_sign_ins_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);

--
-- Name: bulk_items; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bulk_items (
    operation_id bigint NOT NULL,
    number integer NOT NULL,
    experiment_id bigint NOT NULL,
    cohort_id bigint,
    checked_version bigint,
    result text NOT NULL,
    refusal integer,
    CONSTRAINT bulk_items_refusal_check CHECK (((result = 'refused'::text) = (refusal IS NOT NULL))),
    CONSTRAINT bulk_items_result_check CHECK ((result = ANY (ARRAY['ready'::text, 'done'::text, 'refused'::text])))
);

--
-- Name: bulk_operations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bulk_operations (
    id bigint NOT NULL,
    kind text NOT NULL,
    change jsonb NOT NULL,
    author_id bigint NOT NULL,
    token_id bigint,
    request_id text,
    query text,
    experiment_ids bigint[],
    refused_of bigint,
    checked_to bigint DEFAULT 0 NOT NULL,
    starts_itself boolean NOT NULL,
    status text DEFAULT 'checking'::text NOT NULL,
    stopped_because text,
    reason text DEFAULT ''::text NOT NULL,
    rate integer NOT NULL,
    per_minute integer,
    cohort_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    experiments integer DEFAULT 0 NOT NULL,
    ready integer DEFAULT 0 NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    next_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    checked_at timestamp(3) with time zone,
    started_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    waiting_for text,
    tries integer DEFAULT 0 NOT NULL,
    CONSTRAINT bulk_operations_counts_check CHECK (((ready >= 0) AND (done >= 0) AND (refused >= 0) AND (((ready + done) + refused) = experiments))),
    CONSTRAINT bulk_operations_ended_check CHECK (((status = ANY (ARRAY['finished'::text, 'stopped'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT bulk_operations_kind_check CHECK ((kind = ANY (ARRAY['move'::text, 'retry'::text, 'evaluate'::text, 'place'::text, 'set_variables'::text, 'assign'::text, 'note'::text]))),
    CONSTRAINT bulk_operations_query_check CHECK ((char_length(query) <= 1000)),
    CONSTRAINT bulk_operations_rate_check CHECK ((rate > 0)),
    CONSTRAINT bulk_operations_status_check CHECK ((status = ANY (ARRAY['checking'::text, 'checked'::text, 'running'::text, 'paused'::text, 'finished'::text, 'stopped'::text])))
);

--
-- Name: bulk_operations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.bulk_operations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.bulk_operations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: bulk_refusals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bulk_refusals (
    operation_id bigint NOT NULL,
    number integer NOT NULL,
    code text NOT NULL,
    detail text NOT NULL,
    experiments integer NOT NULL,
    CONSTRAINT bulk_refusals_detail_check CHECK ((octet_length(detail) <= 2000))
);

--
-- Name: callback_executions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.callback_executions (
    id bigint NOT NULL,
    action_id bigint NOT NULL,
    callback_id bigint NOT NULL,
    callback_version integer NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    result text DEFAULT 'none'::text NOT NULL,
    created timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    run_start timestamp(3) with time zone,
    wait_start timestamp(3) with time zone,
    finished timestamp(3) with time zone,
    deadline timestamp(3) with time zone,
    result_values jsonb DEFAULT '{}'::jsonb NOT NULL,
    run_log text DEFAULT ''::text NOT NULL,
    result_log text DEFAULT ''::text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp(3) with time zone,
    last_error text,
    version bigint DEFAULT 1 NOT NULL,
    logs_removed_at timestamp(3) with time zone,
    failing_since timestamp(3) with time zone,
    lost_workers integer DEFAULT 0 NOT NULL,
    retry_host text,
    retry_slot boolean DEFAULT false NOT NULL,
    cause text,
    cause_key text,
    CONSTRAINT callback_executions_attempt_check CHECK (((attempt >= 0) AND ((failures >= 0) AND (failures <= attempt)))),
    CONSTRAINT callback_executions_cause_check CHECK ((char_length(cause) <= 500)),
    CONSTRAINT callback_executions_deadline_check CHECK (((deadline IS NULL) OR (status = ANY (ARRAY['running'::text, 'waiting'::text])))),
    CONSTRAINT callback_executions_finished_check CHECK (((finished IS NOT NULL) = (status = ANY (ARRAY['finished'::text, 'skipped'::text])))),
    CONSTRAINT callback_executions_lost_workers_check CHECK (((lost_workers >= 0) AND (lost_workers <= attempt))),
    CONSTRAINT callback_executions_next_attempt_check CHECK (((next_attempt_at IS NULL) OR (status = ANY (ARRAY['created'::text, 'queued'::text, 'running'::text])))),
    CONSTRAINT callback_executions_not_started_check CHECK (((status <> ALL (ARRAY['created'::text, 'queued'::text])) OR ((run_start IS NULL) AND (wait_start IS NULL)))),
    CONSTRAINT callback_executions_result_check CHECK ((result = ANY (ARRAY['none'::text, 'success'::text, 'failed'::text, 'timeout'::text]))),
    CONSTRAINT callback_executions_result_values_check CHECK ((jsonb_typeof(result_values) = 'object'::text)),
    CONSTRAINT callback_executions_running_check CHECK (((status <> 'running'::text) OR ((run_start IS NOT NULL) AND (wait_start IS NULL)))),
    CONSTRAINT callback_executions_skipped_result_check CHECK (((result = 'none'::text) OR (status <> 'skipped'::text))),
    CONSTRAINT callback_executions_status_check CHECK ((status = ANY (ARRAY['created'::text, 'queued'::text, 'running'::text, 'waiting'::text, 'finished'::text, 'skipped'::text]))),
    CONSTRAINT callback_executions_times_check CHECK (((run_start >= created) AND (wait_start >= COALESCE(run_start, created)) AND (finished >= COALESCE(wait_start, run_start, created)))),
    CONSTRAINT callback_executions_waiting_check CHECK (((status <> 'waiting'::text) OR (wait_start IS NOT NULL)))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.02');

--
-- Name: callback_executions_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.callback_executions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.callback_executions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: callback_systems; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.callback_systems (
    callback_id bigint NOT NULL,
    system_name text NOT NULL COLLATE pg_catalog."C",
    in_capitals boolean NOT NULL
);

--
-- Name: callback_versions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.callback_versions (
    callback_id bigint NOT NULL,
    version integer NOT NULL,
    workflow_revision integer NOT NULL,
    label text NOT NULL COLLATE pg_catalog."C",
    function text NOT NULL COLLATE pg_catalog."C",
    queue text DEFAULT 'callbacks'::text NOT NULL COLLATE pg_catalog."C",
    callback_arguments json DEFAULT '{}'::json NOT NULL,
    condition text DEFAULT ''::text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    initial_delay integer DEFAULT 0 NOT NULL,
    run_timeout integer DEFAULT 60 NOT NULL,
    wait_timeout integer DEFAULT 0 NOT NULL,
    variable_map jsonb DEFAULT '{}'::jsonb NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    retry_for integer DEFAULT 45 NOT NULL,
    retry_first integer DEFAULT 5 NOT NULL,
    CONSTRAINT callback_versions_arguments_check CHECK ((json_typeof(callback_arguments) = 'object'::text)),
    CONSTRAINT callback_versions_condition_check CHECK ((char_length(condition) <= 1000)),
    CONSTRAINT callback_versions_description_check CHECK ((char_length(description) <= 10000)),
    CONSTRAINT callback_versions_function_check CHECK (((char_length(function) >= 1) AND (char_length(function) <= 255))),
    CONSTRAINT callback_versions_initial_delay_check CHECK (((initial_delay >= 0) AND (initial_delay <= 31536000))),
    CONSTRAINT callback_versions_label_check CHECK ((((char_length(label) >= 1) AND (char_length(label) <= 255)) AND (label <> ALL (ARRAY['.'::text, '..'::text])))),
    CONSTRAINT callback_versions_position_check CHECK (("position" >= 0)),
    CONSTRAINT callback_versions_queue_check CHECK ((queue <> ''::text)),
    CONSTRAINT callback_versions_retry_first_check CHECK (((retry_first >= 1) AND (retry_first <= 300))),
    CONSTRAINT callback_versions_retry_for_check CHECK (((retry_for >= 0) AND (retry_for <= 10080))),
    CONSTRAINT callback_versions_run_timeout_check CHECK (((run_timeout >= 0) AND (run_timeout <= 5256000))),
    CONSTRAINT callback_versions_variable_map_check CHECK ((jsonb_typeof(variable_map) = 'object'::text)),
    CONSTRAINT callback_versions_version_check CHECK (((version >= 1) AND (workflow_revision >= 1))),
    CONSTRAINT callback_versions_wait_timeout_check CHECK (((wait_timeout >= 0) AND (wait_timeout <= 5256000)))
);

--
-- Name: callbacks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.callbacks (
    id bigint NOT NULL,
    state_id bigint NOT NULL,
    label text NOT NULL COLLATE pg_catalog."C",
    current_version integer DEFAULT 1 NOT NULL,
    retired boolean DEFAULT false NOT NULL,
    CONSTRAINT callbacks_current_version_check CHECK ((current_version >= 1)),
    CONSTRAINT callbacks_label_check CHECK ((((char_length(label) >= 1) AND (char_length(label) <= 255)) AND (label <> ALL (ARRAY['.'::text, '..'::text]))))
);

--
-- Name: callbacks_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.callbacks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.callbacks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: checkpoints; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.checkpoints (
    number bigint NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    up_to_xid xid8 NOT NULL,
    up_to_id bigint NOT NULL,
    heads text NOT NULL,
    key_id text NOT NULL,
    hash bytea NOT NULL,
    signature bytea NOT NULL,
    cluster text DEFAULT ((pg_control_system()).system_identifier)::text NOT NULL,
    after_id bigint DEFAULT 0 NOT NULL,
    CONSTRAINT checkpoints_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT checkpoints_number_check CHECK ((number >= 1)),
    CONSTRAINT checkpoints_signature_check CHECK ((octet_length(signature) = 64))
);

--
-- Name: cohort_count_deltas; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cohort_count_deltas (
    cohort_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    visit text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1');

--
-- Name: cohort_counts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cohort_counts (
    cohort_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    visit text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    CONSTRAINT cohort_counts_kind_check CHECK ((kind = ANY (ARRAY['subjects'::text, 'withdrawn'::text, 'visit'::text])))
);

--
-- Name: cohort_roles; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cohort_roles (
    user_id bigint NOT NULL,
    role_id bigint NOT NULL,
    cohort_id bigint NOT NULL
);

--
-- Name: cohort_urls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cohort_urls (
    cohort_id bigint NOT NULL,
    external_system_id bigint NOT NULL,
    url text NOT NULL,
    CONSTRAINT cohort_urls_url_check CHECK (((char_length(url) >= 1) AND (char_length(url) <= 1024)))
);

--
-- Name: cohorts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cohorts (
    id bigint NOT NULL,
    label text NOT NULL COLLATE pg_catalog."C",
    description text DEFAULT ''::text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT cohorts_description_check CHECK ((char_length(description) <= 10000)),
    CONSTRAINT cohorts_label_check CHECK ((((char_length(label) >= 1) AND (char_length(label) <= 255)) AND (label <> ALL (ARRAY['.'::text, '..'::text, 'by-label'::text]))))
);

--
-- Name: cohorts_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.cohorts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.cohorts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: contact; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.contact (
    holder text NOT NULL,
    at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT contact_holder_check CHECK ((holder = ANY (ARRAY['worker'::text, 'server'::text])))
)
WITH (fillfactor='10');

--
-- Name: contact_gaps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.contact_gaps (
    holder text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT contact_gaps_times_check CHECK ((ended_at >= started_at))
);

--
-- Name: erasure_requests; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.erasure_requests (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    requested_by bigint NOT NULL,
    requested_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

--
-- Name: erasure_requests_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.erasure_requests ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.erasure_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: erasures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.erasures (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    erased_by bigint NOT NULL,
    erased_at timestamp(3) with time zone NOT NULL,
    destroyed jsonb NOT NULL,
    history_id bigint NOT NULL,
    sequence bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT erasures_destroyed_check CHECK ((jsonb_typeof(destroyed) = 'object'::text)),
    CONSTRAINT erasures_hash_check CHECK ((octet_length(hash) = 32))
);

--
-- Name: events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.events (
    id bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    object_kind text NOT NULL COLLATE pg_catalog."C",
    object_id bigint NOT NULL,
    cohort_id bigint,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT events_data_check CHECK ((jsonb_typeof(data) = 'object'::text)),
    CONSTRAINT events_names_check CHECK (((kind <> ''::text) AND (object_kind <> ''::text)))
);

--
-- Name: events_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: execution_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.execution_attempts (
    execution_id bigint NOT NULL,
    attempt integer NOT NULL,
    secret_hash bytea NOT NULL,
    worker text DEFAULT ''::text NOT NULL,
    started_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    heartbeat_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    error text,
    log text DEFAULT ''::text NOT NULL,
    CONSTRAINT execution_attempts_attempt_check CHECK ((attempt >= 1)),
    CONSTRAINT execution_attempts_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
    CONSTRAINT execution_attempts_times_check CHECK (((heartbeat_at >= started_at) AND (ended_at >= started_at)))
)
WITH (fillfactor='80');

--
-- Name: experiment_search; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.experiment_search (
    experiment_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    text text NOT NULL COLLATE pg_catalog."C"
);

--
-- Name: experiment_variables; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.experiment_variables (
    experiment_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    value jsonb NOT NULL,
    CONSTRAINT experiment_variables_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255)))
);

--
-- Name: experiments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.experiments (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    workflow_id bigint NOT NULL,
    state_id bigint NOT NULL,
    label text NOT NULL COLLATE pg_catalog."C",
    scandate timestamp(3) without time zone,
    action_sequence bigint DEFAULT 0 NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    resting_sequence bigint,
    resting_since timestamp with time zone,
    CONSTRAINT experiments_action_sequence_check CHECK ((action_sequence >= 0)),
    CONSTRAINT experiments_label_check CHECK ((((char_length(label) >= 1) AND (char_length(label) <= 255)) AND (label <> ALL (ARRAY['.'::text, '..'::text]))))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.02');

--
-- Name: experiments_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.experiments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.experiments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: external_experiment_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.external_experiment_links (
    id bigint NOT NULL,
    experiment_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    external_system_id bigint NOT NULL,
    external_id text NOT NULL COLLATE pg_catalog."C",
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT external_experiment_links_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 1024)))
);

--
-- Name: external_experiment_links_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.external_experiment_links ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.external_experiment_links_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: external_subject_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.external_subject_links (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    external_system_id bigint NOT NULL,
    external_id text NOT NULL COLLATE pg_catalog."C",
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT external_subject_links_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 1024)))
);

--
-- Name: external_subject_links_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.external_subject_links ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.external_subject_links_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: external_system_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.external_system_checks (
    external_system_id bigint NOT NULL,
    next_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    checked_at timestamp(3) with time zone,
    result text,
    latency_ms integer,
    error text,
    failing_since timestamp(3) with time zone,
    last_error text,
    last_error_at timestamp(3) with time zone,
    CONSTRAINT external_system_checks_checked_check CHECK (((checked_at IS NULL) = (result IS NULL))),
    CONSTRAINT external_system_checks_error_check CHECK ((((error IS NOT NULL) = COALESCE((result <> 'reachable'::text), false)) AND ((char_length(error) >= 1) AND (char_length(error) <= 500)))),
    CONSTRAINT external_system_checks_failing_check CHECK (((failing_since IS NOT NULL) = (NOT (result IS DISTINCT FROM 'unreachable'::text)))),
    CONSTRAINT external_system_checks_last_error_check CHECK ((((last_error IS NULL) = (last_error_at IS NULL)) AND ((char_length(last_error) >= 1) AND (char_length(last_error) <= 500)))),
    CONSTRAINT external_system_checks_latency_check CHECK ((((latency_ms IS NOT NULL) = (NOT (result IS DISTINCT FROM 'reachable'::text))) AND (latency_ms >= 0))),
    CONSTRAINT external_system_checks_result_check CHECK ((result = ANY (ARRAY['reachable'::text, 'unreachable'::text, 'not_allowed'::text])))
)
WITH (fillfactor='50');

--
-- Name: external_systems; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.external_systems (
    id bigint NOT NULL,
    system_name text NOT NULL COLLATE pg_catalog."C",
    url text DEFAULT ''::text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT external_systems_system_name_check CHECK (((char_length(system_name) >= 1) AND (char_length(system_name) <= 100))),
    CONSTRAINT external_systems_url_check CHECK ((char_length(url) <= 1024))
);

--
-- Name: external_systems_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.external_systems ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.external_systems_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: follow_ups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.follow_ups (
    experiment_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    assignee_id bigint,
    snoozed_at timestamp with time zone,
    snoozed_until timestamp(3) with time zone,
    snoozed_by bigint,
    snooze_note text,
    CONSTRAINT follow_ups_snooze_check CHECK ((num_nonnulls(snoozed_at, snoozed_until, snoozed_by, snooze_note) = ANY (ARRAY[0, 4]))),
    CONSTRAINT follow_ups_snooze_note_check CHECK ((char_length(snooze_note) <= 1000))
);

--
-- Name: forgotten_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.forgotten_events (
    only_row boolean DEFAULT true NOT NULL,
    xid xid8 NOT NULL,
    id bigint NOT NULL,
    CONSTRAINT forgotten_events_only_row_check CHECK (only_row)
);

--
-- Name: history_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.history ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.history_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: history_values; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.history_values (
    history_id bigint NOT NULL,
    before jsonb,
    after jsonb,
    reason text
);

--
-- Name: history_with_values; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.history_with_values AS
 SELECT history.id,
    history.at,
    history.actor_kind,
    history.actor_id,
    history.request_id,
    history.operation,
    history.object_kind,
    history.object_id,
    COALESCE((history.before || history_values.before), history.before) AS before,
    COALESCE((history.after || history_values.after), history.after) AS after,
    COALESCE(history_values.reason, history.reason) AS reason,
    history.chain,
    history.chain_id,
    history.sequence
   FROM (public.history
     LEFT JOIN public.history_values ON ((history_values.history_id = history.id)));

--
-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_keys (
    actor_kind text NOT NULL,
    actor_id bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    request_hash bytea NOT NULL,
    status integer,
    body text,
    location text,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    request_id text,
    scope bigint[],
    CONSTRAINT idempotency_keys_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'execution'::text]))),
    CONSTRAINT idempotency_keys_body_check CHECK ((octet_length(body) <= 65536)),
    CONSTRAINT idempotency_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255))),
    CONSTRAINT idempotency_keys_request_hash_check CHECK ((octet_length(request_hash) = 32)),
    CONSTRAINT idempotency_keys_status_check CHECK (((status >= 200) AND (status <= 599)))
);

--
-- Name: import_faults; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.import_faults (
    import_id bigint NOT NULL,
    number bigint NOT NULL,
    line integer NOT NULL,
    place integer NOT NULL,
    detail text NOT NULL,
    CONSTRAINT import_faults_detail_check CHECK ((char_length(detail) <= 2000))
);

--
-- Name: import_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.import_keys (
    import_id bigint NOT NULL,
    key bytea NOT NULL,
    value bytea NOT NULL,
    line integer NOT NULL
);

--
-- Name: import_lines; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.import_lines (
    import_id bigint NOT NULL,
    line integer NOT NULL,
    cells jsonb NOT NULL,
    result text,
    subject text,
    experiment text,
    state text,
    new_subject boolean DEFAULT false NOT NULL,
    new_experiment boolean DEFAULT false NOT NULL,
    CONSTRAINT import_lines_result_check CHECK ((result = ANY (ARRAY['ready'::text, 'unchanged'::text, 'faulty'::text, 'done'::text])))
);

--
-- Name: import_mappings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.import_mappings (
    id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    columns jsonb NOT NULL,
    changed_by bigint NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT import_mappings_columns_check CHECK ((pg_column_size(columns) <= 100000)),
    CONSTRAINT import_mappings_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255)))
);

--
-- Name: import_mappings_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.import_mappings ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.import_mappings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: imports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.imports (
    id bigint NOT NULL,
    author_id bigint NOT NULL,
    token_id bigint,
    request_id text,
    cohort_id bigint NOT NULL,
    workflow_id bigint,
    file_name text NOT NULL,
    encoding text NOT NULL,
    delimiter text NOT NULL,
    headers text[] NOT NULL,
    mapping jsonb NOT NULL,
    mapping_name text,
    status text DEFAULT 'uploading'::text NOT NULL,
    stopped_because text,
    cleared boolean DEFAULT true NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    lines integer DEFAULT 0 NOT NULL,
    ready integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    faulty integer DEFAULT 0 NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    new_subjects integer DEFAULT 0 NOT NULL,
    new_experiments integer DEFAULT 0 NOT NULL,
    column_faults integer[] NOT NULL,
    next_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    checked_at timestamp(3) with time zone,
    started_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    per_minute integer,
    waiting_for text,
    tries integer DEFAULT 0 NOT NULL,
    CONSTRAINT imports_counts_check CHECK (((ready >= 0) AND (unchanged >= 0) AND (faulty >= 0) AND (done >= 0) AND ((((ready + unchanged) + faulty) + done) <= lines) AND (lines <= 200000))),
    CONSTRAINT imports_delimiter_check CHECK ((char_length(delimiter) = 1)),
    CONSTRAINT imports_encoding_check CHECK ((encoding = ANY (ARRAY['utf-8'::text, 'windows-1252'::text]))),
    CONSTRAINT imports_ended_check CHECK (((status = ANY (ARRAY['finished'::text, 'stopped'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT imports_file_name_check CHECK ((char_length(file_name) <= 255)),
    CONSTRAINT imports_headers_check CHECK ((((cardinality(headers) >= 1) AND (cardinality(headers) <= 100)) AND (jsonb_array_length(mapping) = cardinality(headers)))),
    CONSTRAINT imports_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'checking'::text, 'checked'::text, 'running'::text, 'paused'::text, 'finished'::text, 'stopped'::text])))
);

--
-- Name: imports_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.imports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.imports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: incident_cohorts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.incident_cohorts (
    incident_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    experiments integer NOT NULL,
    execution_id bigint NOT NULL,
    counted_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT incident_cohorts_experiments_check CHECK ((experiments >= 1))
);

--
-- Name: incidents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.incidents (
    id bigint NOT NULL,
    experiment_id bigint,
    kind text NOT NULL,
    opened_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    closed_at timestamp(3) with time zone,
    action_id bigint,
    execution_id bigint,
    detail text DEFAULT ''::text NOT NULL,
    queue text,
    cause_group text COLLATE pg_catalog."C",
    CONSTRAINT incidents_kind_check CHECK ((kind = ANY (ARRAY['brake'::text, 'unclaimed'::text, 'failed'::text, 'timed_out'::text, 'no_way_on'::text]))),
    CONSTRAINT incidents_queue_check CHECK (((queue IS NULL) OR (kind = 'unclaimed'::text))),
    CONSTRAINT incidents_subject_check CHECK (((experiment_id IS NULL) = (queue IS NOT NULL))),
    CONSTRAINT incidents_times_check CHECK ((closed_at >= opened_at))
);

--
-- Name: incidents_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.incidents ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.incidents_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: insight_causes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.insight_causes (
    cohort_id bigint NOT NULL,
    callback_id bigint NOT NULL,
    cause_group text NOT NULL COLLATE pg_catalog."C",
    week date NOT NULL,
    failures bigint NOT NULL,
    retries bigint NOT NULL
)
WITH (fillfactor='70');

--
-- Name: insight_experiments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.insight_experiments (
    experiment_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    sequence bigint NOT NULL,
    state_id bigint NOT NULL,
    entered_at timestamp(3) with time zone NOT NULL
)
WITH (fillfactor='70');

--
-- Name: insight_levels; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.insight_levels (
    cohort_id bigint NOT NULL,
    state_id bigint NOT NULL,
    experiments bigint NOT NULL,
    entered_s bigint NOT NULL
)
WITH (fillfactor='70');

--
-- Name: insight_moves; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.insight_moves (
    cohort_id bigint NOT NULL,
    transition_id bigint NOT NULL,
    day date NOT NULL,
    moves bigint NOT NULL,
    stayed_ms bigint NOT NULL,
    placed boolean DEFAULT false NOT NULL
)
WITH (fillfactor='70');

--
-- Name: insight_progress; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.insight_progress (
    one boolean DEFAULT true NOT NULL,
    xid xid8 NOT NULL,
    event_id bigint NOT NULL,
    rebuilt_to bigint,
    counted_at timestamp(3) with time zone,
    CONSTRAINT insight_progress_one_check CHECK (one)
);

--
-- Name: insight_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.insight_runs (
    execution_id bigint NOT NULL,
    experiment_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    callback_id bigint NOT NULL,
    cause_group text NOT NULL COLLATE pg_catalog."C",
    week date NOT NULL,
    failures bigint NOT NULL,
    retries bigint NOT NULL
);

--
-- Name: insight_stays; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.insight_stays (
    cohort_id bigint NOT NULL,
    state_id bigint NOT NULL,
    week date NOT NULL,
    bucket smallint NOT NULL,
    stays bigint NOT NULL
)
WITH (fillfactor='70');

--
-- Name: migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migrations (
    number integer NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

--
-- Name: notes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notes (
    id bigint NOT NULL,
    experiment_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    user_id bigint NOT NULL,
    text text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT notes_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 10000)))
);

--
-- Name: notes_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.notes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: password_resets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.password_resets (
    id bigint NOT NULL,
    user_id bigint,
    asked_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    next_try_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    token_hash bytea,
    sent_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    CONSTRAINT password_resets_expires_at_check CHECK (((expires_at IS NULL) = (token_hash IS NULL))),
    CONSTRAINT password_resets_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

--
-- Name: password_resets_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.password_resets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.password_resets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: personal_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.personal_keys (
    person text NOT NULL COLLATE pg_catalog."C",
    person_id bigint NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT personal_keys_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT personal_keys_person_check CHECK ((person = ANY (ARRAY['subject'::text, 'user'::text])))
);

--
-- Name: processes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.processes (
    id bigint NOT NULL,
    kind text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    milepost_version text NOT NULL,
    runs integer DEFAULT 0 NOT NULL,
    started_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    stopped_at timestamp(3) with time zone,
    CONSTRAINT processes_kind_check CHECK ((kind = ANY (ARRAY['server'::text, 'worker'::text]))),
    CONSTRAINT processes_runs_check CHECK ((runs >= 0))
)
WITH (fillfactor='50');

--
-- Name: processes_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.processes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.processes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: queue_progress; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.queue_progress (
    queue text NOT NULL,
    workflow_id bigint NOT NULL,
    bulk boolean NOT NULL,
    started bigint DEFAULT 0 NOT NULL,
    last_started_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    oldest_execution_id bigint,
    oldest_due timestamp with time zone,
    started_before bigint DEFAULT 0 NOT NULL,
    CONSTRAINT queue_progress_oldest_check CHECK (((oldest_execution_id IS NULL) = (oldest_due IS NULL))),
    CONSTRAINT queue_progress_started_check CHECK (((started_before >= 0) AND (started_before <= started)))
);

--
-- Name: queue_starts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.queue_starts (
    queue text NOT NULL,
    workflow_id bigint NOT NULL,
    bulk boolean NOT NULL,
    runs integer NOT NULL,
    at timestamp(3) with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1');

--
-- Name: retry_pace; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.retry_pace (
    host text NOT NULL COLLATE pg_catalog."C",
    second timestamp(0) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    started integer DEFAULT 0 NOT NULL,
    next_slot timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT retry_pace_started_check CHECK ((started >= 0))
)
WITH (fillfactor='50');

--
-- Name: roles; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.roles (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    description text DEFAULT ''::text NOT NULL,
    permissions text[] DEFAULT '{}'::text[] NOT NULL,
    update_datetime timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT roles_description_check CHECK ((char_length(description) <= 10000)),
    CONSTRAINT roles_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255))),
    CONSTRAINT roles_permissions_check CHECK ((array_position(permissions, NULL::text) IS NULL))
);

--
-- Name: roles_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.roles ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.roles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: scans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scans (
    id bigint NOT NULL,
    experiment_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    scantype_id bigint NOT NULL
);

--
-- Name: scans_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scans ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.scans_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: scantypes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scantypes (
    id bigint NOT NULL,
    modality text DEFAULT ''::text NOT NULL,
    protocol text NOT NULL COLLATE pg_catalog."C",
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT scantypes_modality_check CHECK ((char_length(modality) <= 255)),
    CONSTRAINT scantypes_protocol_check CHECK (((char_length(protocol) >= 1) AND (char_length(protocol) <= 255)))
);

--
-- Name: scantypes_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scantypes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.scantypes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone DEFAULT (now() + '12:00:00'::interval) NOT NULL,
    ended_at timestamp(3) with time zone,
    address text NOT NULL,
    user_agent text NOT NULL,
    CONSTRAINT sessions_address_check CHECK ((char_length(address) <= 100)),
    CONSTRAINT sessions_ended_at_check CHECK ((ended_at >= created_at)),
    CONSTRAINT sessions_expires_at_check CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '12:00:00'::interval)))),
    CONSTRAINT sessions_last_used_at_check CHECK ((last_used_at >= created_at)),
    CONSTRAINT sessions_token_hash_check CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT sessions_user_agent_check CHECK ((char_length(user_agent) <= 300))
);

--
-- Name: sessions_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.sessions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sessions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: sign_in_failures; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.sign_in_failures (
    pair_hash bytea NOT NULL,
    count integer NOT NULL,
    since timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT sign_in_failures_count_check CHECK ((count > 0)),
    CONSTRAINT sign_in_failures_pair_hash_check CHECK ((octet_length(pair_hash) = 32))
);

--
-- Name: state_count_deltas; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.state_count_deltas (
    state_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    experiments bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1');

--
-- Name: state_counts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.state_counts (
    state_id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    experiments bigint NOT NULL,
    changed_at timestamp(3) with time zone
)
WITH (fillfactor='50');

--
-- Name: states; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.states (
    id bigint NOT NULL,
    workflow_id bigint NOT NULL,
    label text NOT NULL COLLATE pg_catalog."C",
    freetext text DEFAULT ''::text NOT NULL,
    "position" integer NOT NULL,
    retired boolean DEFAULT false NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    title text,
    colour text,
    outcome text,
    decision json,
    CONSTRAINT states_colour_check CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
    CONSTRAINT states_decision_check CHECK ((json_typeof(decision) = 'object'::text)),
    CONSTRAINT states_freetext_check CHECK ((char_length(freetext) <= 10000)),
    CONSTRAINT states_label_check CHECK ((((char_length(label) >= 1) AND (char_length(label) <= 255)) AND (label <> ALL (ARRAY['.'::text, '..'::text])))),
    CONSTRAINT states_outcome_check CHECK ((outcome = ANY (ARRAY['good'::text, 'bad'::text, 'neutral'::text]))),
    CONSTRAINT states_position_check CHECK (("position" >= 0)),
    CONSTRAINT states_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 100)))
);

--
-- Name: states_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.states ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.states_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: subjects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.subjects (
    id bigint NOT NULL,
    cohort_id bigint NOT NULL,
    label text NOT NULL COLLATE pg_catalog."C",
    date_of_birth date,
    version bigint DEFAULT 1 NOT NULL,
    withdrawn_at date,
    erased_at timestamp(3) with time zone,
    CONSTRAINT subjects_erased_check CHECK (((erased_at IS NULL) OR (withdrawn_at IS NOT NULL))),
    CONSTRAINT subjects_label_check CHECK ((((char_length(label) >= 1) AND (char_length(label) <= 255)) AND (label <> ALL (ARRAY['.'::text, '..'::text]))))
);

--
-- Name: subjects_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.subjects ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.subjects_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: transitions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.transitions (
    id bigint NOT NULL,
    workflow_id bigint NOT NULL,
    kind text DEFAULT 'defined'::text NOT NULL,
    source_state_id bigint NOT NULL,
    destination_state_id bigint NOT NULL,
    ordinal integer DEFAULT 1 NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    condition text DEFAULT ''::text NOT NULL,
    by text DEFAULT 'both'::text NOT NULL,
    retired boolean DEFAULT false NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    title text,
    CONSTRAINT transitions_by_check CHECK ((by = ANY (ARRAY['person'::text, 'engine'::text, 'both'::text]))),
    CONSTRAINT transitions_condition_check CHECK ((char_length(condition) <= 1000)),
    CONSTRAINT transitions_entry_check CHECK (((kind <> 'entry'::text) OR (source_state_id = destination_state_id))),
    CONSTRAINT transitions_kind_check CHECK ((kind = ANY (ARRAY['defined'::text, 'entry'::text, 'correction'::text]))),
    CONSTRAINT transitions_ordinal_check CHECK (((ordinal = 1) OR ((kind = 'defined'::text) AND (ordinal > 1)))),
    CONSTRAINT transitions_position_check CHECK (("position" >= 0)),
    CONSTRAINT transitions_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 100)))
);

--
-- Name: transitions_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.transitions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.transitions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: user_identities; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_identities (
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    user_id bigint NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT user_identities_issuer_check CHECK (((char_length(issuer) >= 1) AND (char_length(issuer) <= 255))),
    CONSTRAINT user_identities_subject_check CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 255)))
);

--
-- Name: user_roles; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_roles (
    user_id bigint NOT NULL,
    role_id bigint NOT NULL
);

--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id bigint NOT NULL,
    username text NOT NULL COLLATE pg_catalog."C",
    username_key text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    email_key text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL,
    password_hash text,
    active boolean DEFAULT true NOT NULL,
    create_time timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    awaits_password boolean DEFAULT false NOT NULL,
    last_sign_in_at timestamp(3) with time zone,
    CONSTRAINT users_email_check CHECK ((((char_length(email) >= 3) AND (char_length(email) <= 255)) AND (strpos(email, '@'::text) > 0))),
    CONSTRAINT users_name_check CHECK ((char_length(name) <= 255)),
    CONSTRAINT users_username_at_check CHECK (((strpos(username, '@'::text) = 0) OR (username_key = email_key))),
    CONSTRAINT users_username_check CHECK (((char_length(username) >= 1) AND (char_length(username) <= 255))),
    CONSTRAINT users_username_no_colon_check CHECK ((strpos(username, ':'::text) = 0))
);

--
-- Name: users_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: verifications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.verifications (
    id bigint NOT NULL,
    requested_by bigint NOT NULL,
    requested_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    seen_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    attempts smallint DEFAULT 0 NOT NULL,
    entries bigint DEFAULT 0 NOT NULL,
    checkpoints bigint DEFAULT 0 NOT NULL,
    fault text,
    failure text,
    CONSTRAINT verifications_fault_check CHECK ((((fault IS NULL) AND (failure IS NULL)) OR (finished_at IS NOT NULL)))
);

--
-- Name: verifications_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.verifications ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.verifications_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: views; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.views (
    id bigint NOT NULL,
    owner_id bigint NOT NULL,
    cohort_id bigint,
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    query text NOT NULL,
    sort text DEFAULT 'id'::text NOT NULL,
    columns text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT views_columns_check CHECK (((cardinality(columns) <= 30) AND (array_position(columns, NULL::text) IS NULL) AND (octet_length((columns)::text) <= 50000))),
    CONSTRAINT views_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT views_query_check CHECK ((char_length(query) <= 1000)),
    CONSTRAINT views_sort_check CHECK ((sort ~ '^-?[a-z][a-z-]{0,30}$'::text))
);

--
-- Name: views_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.views ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.views_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: workflow_revisions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workflow_revisions (
    workflow_id bigint NOT NULL,
    revision integer NOT NULL,
    definition text NOT NULL,
    definition_hash text NOT NULL,
    author_id bigint,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT workflow_revisions_definition_hash_check CHECK ((definition_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT workflow_revisions_revision_check CHECK ((revision >= 1))
);

--
-- Name: workflows; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workflows (
    id bigint NOT NULL,
    label text NOT NULL COLLATE pg_catalog."C",
    revision integer DEFAULT 1 NOT NULL,
    initial_state_id bigint,
    layout jsonb,
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT workflows_label_check CHECK ((((char_length(label) >= 1) AND (char_length(label) <= 255)) AND (label <> ALL (ARRAY['.'::text, '..'::text, 'by-label'::text])))),
    CONSTRAINT workflows_revision_check CHECK ((revision >= 1))
);

--
-- Name: workflows_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.workflows ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.workflows_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: actions actions_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.actions
    ADD CONSTRAINT actions_pk PRIMARY KEY (id);

--
-- Name: actions actions_sequence_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.actions
    ADD CONSTRAINT actions_sequence_unique UNIQUE (experiment_id, sequence);

--
-- Name: api_tokens api_tokens_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pk PRIMARY KEY (id);

--
-- Name: api_tokens api_tokens_token_hash_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_token_hash_unique UNIQUE (token_hash);

--
-- Name: attention_visits attention_visits_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.attention_visits
    ADD CONSTRAINT attention_visits_pk PRIMARY KEY (user_id);

--
-- Name: begun_sign_ins begun_sign_ins_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.begun_sign_ins
    ADD CONSTRAINT begun_sign_ins_pk PRIMARY KEY (secret_hash);

--
-- Name: bulk_items bulk_items_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bulk_items
    ADD CONSTRAINT bulk_items_pk PRIMARY KEY (operation_id, number);

--
-- Name: bulk_operations bulk_operations_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bulk_operations
    ADD CONSTRAINT bulk_operations_pk PRIMARY KEY (id);

--
-- Name: bulk_refusals bulk_refusals_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bulk_refusals
    ADD CONSTRAINT bulk_refusals_pk PRIMARY KEY (operation_id, number);

--
-- Name: bulk_refusals bulk_refusals_reason_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bulk_refusals
    ADD CONSTRAINT bulk_refusals_reason_unique UNIQUE (operation_id, code, detail);

--
-- Name: callback_executions callback_executions_callback_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_executions
    ADD CONSTRAINT callback_executions_callback_unique UNIQUE (action_id, callback_id);

--
-- Name: callback_executions callback_executions_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_executions
    ADD CONSTRAINT callback_executions_pk PRIMARY KEY (id);

--
-- Name: callback_systems callback_systems_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_systems
    ADD CONSTRAINT callback_systems_pk PRIMARY KEY (callback_id, system_name, in_capitals);

--
-- Name: callback_versions callback_versions_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_versions
    ADD CONSTRAINT callback_versions_pk PRIMARY KEY (callback_id, version);

--
-- Name: callbacks callbacks_label_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callbacks
    ADD CONSTRAINT callbacks_label_unique UNIQUE (state_id, label);

--
-- Name: callbacks callbacks_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callbacks
    ADD CONSTRAINT callbacks_pk PRIMARY KEY (id);

--
-- Name: checkpoints checkpoints_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checkpoints
    ADD CONSTRAINT checkpoints_pk PRIMARY KEY (number);

--
-- Name: cohort_counts cohort_counts_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohort_counts
    ADD CONSTRAINT cohort_counts_pk PRIMARY KEY (cohort_id, kind, visit);

--
-- Name: cohort_roles cohort_roles_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohort_roles
    ADD CONSTRAINT cohort_roles_pk PRIMARY KEY (user_id, role_id, cohort_id);

--
-- Name: cohort_urls cohort_urls_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohort_urls
    ADD CONSTRAINT cohort_urls_pk PRIMARY KEY (cohort_id, external_system_id);

--
-- Name: cohorts cohorts_label_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohorts
    ADD CONSTRAINT cohorts_label_unique UNIQUE (label);

--
-- Name: cohorts cohorts_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohorts
    ADD CONSTRAINT cohorts_pk PRIMARY KEY (id);

--
-- Name: contact_gaps contact_gaps_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.contact_gaps
    ADD CONSTRAINT contact_gaps_pk PRIMARY KEY (holder, ended_at);

--
-- Name: contact contact_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.contact
    ADD CONSTRAINT contact_pk PRIMARY KEY (holder);

--
-- Name: erasure_requests erasure_requests_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasure_requests
    ADD CONSTRAINT erasure_requests_pk PRIMARY KEY (id);

--
-- Name: erasures erasures_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pk PRIMARY KEY (id);

--
-- Name: erasures erasures_subject_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_subject_unique UNIQUE (subject_id);

--
-- Name: events events_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pk PRIMARY KEY (id);

--
-- Name: execution_attempts execution_attempts_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.execution_attempts
    ADD CONSTRAINT execution_attempts_pk PRIMARY KEY (execution_id, attempt);

--
-- Name: experiment_search experiment_search_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.experiment_search
    ADD CONSTRAINT experiment_search_pk PRIMARY KEY (experiment_id);

--
-- Name: experiment_variables experiment_variables_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.experiment_variables
    ADD CONSTRAINT experiment_variables_pk PRIMARY KEY (experiment_id, name);

--
-- Name: experiments experiments_cohort_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT experiments_cohort_unique UNIQUE (cohort_id, id);

--
-- Name: experiments experiments_label_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT experiments_label_unique UNIQUE (subject_id, label);

--
-- Name: experiments experiments_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT experiments_pk PRIMARY KEY (id);

--
-- Name: external_experiment_links external_experiment_links_pair_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_experiment_links
    ADD CONSTRAINT external_experiment_links_pair_unique UNIQUE (experiment_id, external_system_id);

--
-- Name: external_experiment_links external_experiment_links_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_experiment_links
    ADD CONSTRAINT external_experiment_links_pk PRIMARY KEY (id);

--
-- Name: external_subject_links external_subject_links_pair_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_subject_links
    ADD CONSTRAINT external_subject_links_pair_unique UNIQUE (subject_id, external_system_id);

--
-- Name: external_subject_links external_subject_links_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_subject_links
    ADD CONSTRAINT external_subject_links_pk PRIMARY KEY (id);

--
-- Name: external_system_checks external_system_checks_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_system_checks
    ADD CONSTRAINT external_system_checks_pk PRIMARY KEY (external_system_id);

--
-- Name: external_systems external_systems_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_systems
    ADD CONSTRAINT external_systems_pk PRIMARY KEY (id);

--
-- Name: external_systems external_systems_system_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_systems
    ADD CONSTRAINT external_systems_system_name_unique UNIQUE (system_name);

--
-- Name: follow_ups follow_ups_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.follow_ups
    ADD CONSTRAINT follow_ups_pk PRIMARY KEY (experiment_id);

--
-- Name: forgotten_events forgotten_events_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.forgotten_events
    ADD CONSTRAINT forgotten_events_pk PRIMARY KEY (only_row);

--
-- Name: history history_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.history
    ADD CONSTRAINT history_pk PRIMARY KEY (id);

--
-- Name: history_values history_values_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.history_values
    ADD CONSTRAINT history_values_pk PRIMARY KEY (history_id);

--
-- Name: idempotency_keys idempotency_keys_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pk PRIMARY KEY (actor_kind, actor_id, key);

--
-- Name: import_faults import_faults_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_faults
    ADD CONSTRAINT import_faults_pk PRIMARY KEY (import_id, number);

--
-- Name: import_keys import_keys_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_keys
    ADD CONSTRAINT import_keys_pk PRIMARY KEY (import_id, key);

--
-- Name: import_lines import_lines_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_lines
    ADD CONSTRAINT import_lines_pk PRIMARY KEY (import_id, line);

--
-- Name: import_mappings import_mappings_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_mappings
    ADD CONSTRAINT import_mappings_name_unique UNIQUE (cohort_id, name);

--
-- Name: import_mappings import_mappings_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_mappings
    ADD CONSTRAINT import_mappings_pk PRIMARY KEY (id);

--
-- Name: imports imports_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pk PRIMARY KEY (id);

--
-- Name: incident_cohorts incident_cohorts_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incident_cohorts
    ADD CONSTRAINT incident_cohorts_pk PRIMARY KEY (incident_id, cohort_id);

--
-- Name: incidents incidents_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incidents
    ADD CONSTRAINT incidents_pk PRIMARY KEY (id);

--
-- Name: insight_causes insight_causes_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.insight_causes
    ADD CONSTRAINT insight_causes_pk PRIMARY KEY (cohort_id, callback_id, cause_group, week);

--
-- Name: insight_experiments insight_experiments_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.insight_experiments
    ADD CONSTRAINT insight_experiments_pk PRIMARY KEY (experiment_id);

--
-- Name: insight_levels insight_levels_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.insight_levels
    ADD CONSTRAINT insight_levels_pk PRIMARY KEY (cohort_id, state_id);

--
-- Name: insight_moves insight_moves_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.insight_moves
    ADD CONSTRAINT insight_moves_pk PRIMARY KEY (cohort_id, transition_id, day, placed);

--
-- Name: insight_progress insight_progress_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.insight_progress
    ADD CONSTRAINT insight_progress_pk PRIMARY KEY (one);

--
-- Name: insight_runs insight_runs_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.insight_runs
    ADD CONSTRAINT insight_runs_pk PRIMARY KEY (execution_id);

--
-- Name: insight_stays insight_stays_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.insight_stays
    ADD CONSTRAINT insight_stays_pk PRIMARY KEY (cohort_id, state_id, week, bucket);

--
-- Name: migrations migrations_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pk PRIMARY KEY (number);

--
-- Name: notes notes_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_pk PRIMARY KEY (id);

--
-- Name: password_resets password_resets_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_pk PRIMARY KEY (id);

--
-- Name: password_resets password_resets_token_hash_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_token_hash_unique UNIQUE (token_hash);

--
-- Name: personal_keys personal_keys_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.personal_keys
    ADD CONSTRAINT personal_keys_pk PRIMARY KEY (person, person_id);

--
-- Name: processes processes_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.processes
    ADD CONSTRAINT processes_pk PRIMARY KEY (id);

--
-- Name: queue_progress queue_progress_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.queue_progress
    ADD CONSTRAINT queue_progress_pk PRIMARY KEY (queue, workflow_id, bulk);

--
-- Name: retry_pace retry_pace_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.retry_pace
    ADD CONSTRAINT retry_pace_pk PRIMARY KEY (host);

--
-- Name: roles roles_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_name_unique UNIQUE (name);

--
-- Name: roles roles_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_pk PRIMARY KEY (id);

--
-- Name: scans scans_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scans
    ADD CONSTRAINT scans_pk PRIMARY KEY (id);

--
-- Name: scantypes scantypes_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scantypes
    ADD CONSTRAINT scantypes_pk PRIMARY KEY (id);

--
-- Name: scantypes scantypes_protocol_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scantypes
    ADD CONSTRAINT scantypes_protocol_unique UNIQUE (protocol);

--
-- Name: sessions sessions_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pk PRIMARY KEY (id);

--
-- Name: sessions sessions_token_hash_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_unique UNIQUE (token_hash);

--
-- Name: sign_in_failures sign_in_failures_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_failures
    ADD CONSTRAINT sign_in_failures_pk PRIMARY KEY (pair_hash);

--
-- Name: state_counts state_counts_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.state_counts
    ADD CONSTRAINT state_counts_pk PRIMARY KEY (state_id, cohort_id);

--
-- Name: states states_id_workflow_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_id_workflow_unique UNIQUE (id, workflow_id);

--
-- Name: states states_label_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_label_unique UNIQUE (workflow_id, label);

--
-- Name: states states_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_pk PRIMARY KEY (id);

--
-- Name: subjects subjects_id_cohort_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subjects
    ADD CONSTRAINT subjects_id_cohort_unique UNIQUE (id, cohort_id);

--
-- Name: subjects subjects_label_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subjects
    ADD CONSTRAINT subjects_label_unique UNIQUE (label, cohort_id);

--
-- Name: subjects subjects_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subjects
    ADD CONSTRAINT subjects_pk PRIMARY KEY (id);

--
-- Name: transitions transitions_identity_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transitions
    ADD CONSTRAINT transitions_identity_unique UNIQUE (source_state_id, destination_state_id, kind, ordinal);

--
-- Name: transitions transitions_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transitions
    ADD CONSTRAINT transitions_pk PRIMARY KEY (id);

--
-- Name: user_identities user_identities_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_pk PRIMARY KEY (issuer, subject);

--
-- Name: user_identities user_identities_user_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_user_unique UNIQUE (user_id);

--
-- Name: user_roles user_roles_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_pk PRIMARY KEY (user_id, role_id);

--
-- Name: users users_email_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_unique UNIQUE (email_key);

--
-- Name: users users_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pk PRIMARY KEY (id);

--
-- Name: users users_username_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_username_unique UNIQUE (username_key);

--
-- Name: verifications verifications_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.verifications
    ADD CONSTRAINT verifications_pk PRIMARY KEY (id);

--
-- Name: views views_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_name_unique UNIQUE (owner_id, name_key);

--
-- Name: views views_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_pk PRIMARY KEY (id);

--
-- Name: workflow_revisions workflow_revisions_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workflow_revisions
    ADD CONSTRAINT workflow_revisions_pk PRIMARY KEY (workflow_id, revision);

--
-- Name: workflows workflows_label_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workflows
    ADD CONSTRAINT workflows_label_unique UNIQUE (label);

--
-- Name: workflows workflows_pk; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workflows
    ADD CONSTRAINT workflows_pk PRIMARY KEY (id);

--
-- Name: actions_arriving_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX actions_arriving_index ON public.actions USING btree (transition_id, start_time) INCLUDE (experiment_id) WHERE ((sequence = 1) AND (retry_of IS NULL));

--
-- Name: actions_leaving_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX actions_leaving_index ON public.actions USING btree (transition_id, start_time) WHERE ((retry_of IS NULL) AND (sequence > 1));

--
-- Name: api_tokens_over_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_tokens_over_index ON public.api_tokens USING btree (LEAST(expires_at, revoked_at));

--
-- Name: api_tokens_user_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_tokens_user_index ON public.api_tokens USING btree (user_id, id);

--
-- Name: begun_sign_ins_expires_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX begun_sign_ins_expires_at_index ON public.begun_sign_ins USING btree (expires_at);

--
-- Name: bulk_items_refusal_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bulk_items_refusal_index ON public.bulk_items USING btree (operation_id, refusal, number) WHERE (refusal IS NOT NULL);

--
-- Name: bulk_items_result_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bulk_items_result_index ON public.bulk_items USING btree (operation_id, result, number);

--
-- Name: bulk_operations_age_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bulk_operations_age_index ON public.bulk_operations USING btree (COALESCE(ended_at, created_at)) WHERE (status = ANY (ARRAY['checked'::text, 'finished'::text, 'stopped'::text]));

--
-- Name: bulk_operations_author_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bulk_operations_author_index ON public.bulk_operations USING btree (author_id, id);

--
-- Name: bulk_operations_dry_run_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bulk_operations_dry_run_index ON public.bulk_operations USING btree (COALESCE(ended_at, created_at)) WHERE ((status = ANY (ARRAY['checked'::text, 'stopped'::text])) AND (NOT starts_itself) AND (started_at IS NULL));

--
-- Name: bulk_operations_due_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bulk_operations_due_index ON public.bulk_operations USING btree (next_at) WHERE (status = ANY (ARRAY['checking'::text, 'running'::text]));

--
-- Name: bulk_operations_idle_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bulk_operations_idle_index ON public.bulk_operations USING btree (next_at) WHERE (status = 'paused'::text);

--
-- Name: callback_executions_callback_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_callback_index ON public.callback_executions USING btree (callback_id, id);

--
-- Name: callback_executions_cause_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_cause_index ON public.callback_executions USING btree (cause_key, callback_id, finished) WHERE ((status = 'finished'::text) AND ((result = ANY (ARRAY['failed'::text, 'timeout'::text])) OR (attempt > 1)));

--
-- Name: callback_executions_deadline_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_deadline_index ON public.callback_executions USING btree (deadline) WHERE (deadline IS NOT NULL);

--
-- Name: callback_executions_failing_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_failing_index ON public.callback_executions USING btree (failing_since) WHERE ((failing_since IS NOT NULL) AND (status = 'running'::text));

--
-- Name: callback_executions_logs_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_logs_index ON public.callback_executions USING btree (finished) WHERE ((logs_removed_at IS NULL) AND (finished IS NOT NULL) AND ((run_log <> ''::text) OR (result_log <> ''::text) OR (attempt > 0)));

--
-- Name: callback_executions_next_attempt_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_next_attempt_index ON public.callback_executions USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

--
-- Name: callback_executions_open_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_open_index ON public.callback_executions USING btree (status, id) WHERE (status = ANY (ARRAY['running'::text, 'waiting'::text]));

--
-- Name: callback_executions_result_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_result_index ON public.callback_executions USING btree (status, result, id) WHERE ((status = ANY (ARRAY['finished'::text, 'skipped'::text])) AND (result <> 'success'::text));

--
-- Name: callback_executions_troubled_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_troubled_index ON public.callback_executions USING btree (callback_id, finished) WHERE ((status = 'finished'::text) AND ((result = ANY (ARRAY['failed'::text, 'timeout'::text])) OR (attempt > 1)));

--
-- Name: callback_executions_unclaimed_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_executions_unclaimed_index ON public.callback_executions USING btree (created) WHERE (status = ANY (ARRAY['created'::text, 'queued'::text]));

--
-- Name: callback_systems_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX callback_systems_name_index ON public.callback_systems USING btree (system_name, callback_id);

--
-- Name: cohort_counts_amount_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX cohort_counts_amount_index ON public.cohort_counts USING btree (cohort_id, kind, amount);

--
-- Name: cohort_counts_zero_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX cohort_counts_zero_index ON public.cohort_counts USING btree (cohort_id) WHERE (amount = 0);

--
-- Name: erasure_requests_subject_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX erasure_requests_subject_index ON public.erasure_requests USING btree (subject_id, id);

--
-- Name: events_tail_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_tail_index ON public.events USING btree (xid, id);

--
-- Name: execution_attempts_open_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX execution_attempts_open_index ON public.execution_attempts USING btree (execution_id) WHERE (ended_at IS NULL);

--
-- Name: experiment_search_text_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX experiment_search_text_index ON public.experiment_search USING gin (text public.gin_trgm_ops);

--
-- Name: experiments_label_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX experiments_label_index ON public.experiments USING btree (lower(label), id);

--
-- Name: experiments_resting_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX experiments_resting_index ON public.experiments USING btree (state_id, resting_since, id) INCLUDE (cohort_id) WHERE (resting_sequence = action_sequence);

--
-- Name: experiments_scandate_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX experiments_scandate_index ON public.experiments USING btree (scandate, id) WHERE (scandate IS NOT NULL);

--
-- Name: experiments_state_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX experiments_state_index ON public.experiments USING btree (state_id, id) INCLUDE (cohort_id);

--
-- Name: external_experiment_links_cohort_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX external_experiment_links_cohort_index ON public.external_experiment_links USING btree (cohort_id, id);

--
-- Name: external_experiment_links_external_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX external_experiment_links_external_id_index ON public.external_experiment_links USING btree (external_system_id, "left"(external_id, 255));

--
-- Name: external_subject_links_cohort_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX external_subject_links_cohort_index ON public.external_subject_links USING btree (cohort_id, id);

--
-- Name: external_subject_links_external_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX external_subject_links_external_id_index ON public.external_subject_links USING btree (external_system_id, "left"(external_id, 255));

--
-- Name: external_system_checks_next_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX external_system_checks_next_index ON public.external_system_checks USING btree (next_at);

--
-- Name: follow_ups_assignee_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX follow_ups_assignee_index ON public.follow_ups USING btree (assignee_id, experiment_id) WHERE (assignee_id IS NOT NULL);

--
-- Name: follow_ups_snoozed_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX follow_ups_snoozed_index ON public.follow_ups USING btree (snoozed_until) WHERE (snoozed_until IS NOT NULL);

--
-- Name: history_actor_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX history_actor_index ON public.history USING btree (actor_id, id) WHERE (actor_kind = 'user'::text);

--
-- Name: history_chain_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX history_chain_index ON public.history USING btree (chain, chain_id, sequence);

--
-- Name: history_object_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX history_object_index ON public.history USING btree (object_kind, object_id, id) WHERE (chain = ANY (ARRAY['users'::text, 'roles'::text, 'workflows'::text, 'settings'::text]));

--
-- Name: history_own_changes_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX history_own_changes_index ON public.history USING btree (actor_id, id) WHERE ((actor_kind = 'user'::text) AND (((chain = ANY (ARRAY['experiment'::text, 'subject'::text])) AND (after ?| '{bulk_operation_id,import_id}'::text[])) IS NOT TRUE));

--
-- Name: history_person_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX history_person_index ON public.history USING btree (person, person_id, id) WHERE (person IS NOT NULL);

--
-- Name: history_tail_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX history_tail_index ON public.history USING btree (xid, id);

--
-- Name: idempotency_keys_created_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_keys_created_at_index ON public.idempotency_keys USING btree (created_at);

--
-- Name: import_faults_place_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX import_faults_place_index ON public.import_faults USING btree (import_id, place, number);

--
-- Name: import_lines_result_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX import_lines_result_index ON public.import_lines USING btree (import_id, result, line);

--
-- Name: imports_age_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX imports_age_index ON public.imports USING btree (COALESCE(ended_at, created_at)) WHERE (status <> ALL (ARRAY['checking'::text, 'running'::text]));

--
-- Name: imports_author_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX imports_author_index ON public.imports USING btree (author_id, id);

--
-- Name: imports_cohort_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX imports_cohort_index ON public.imports USING btree (cohort_id);

--
-- Name: imports_due_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX imports_due_index ON public.imports USING btree (next_at) WHERE (status = ANY (ARRAY['checking'::text, 'running'::text]));

--
-- Name: imports_idle_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX imports_idle_index ON public.imports USING btree (next_at) WHERE (status = ANY (ARRAY['uploading'::text, 'paused'::text]));

--
-- Name: incidents_experiment_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX incidents_experiment_index ON public.incidents USING btree (experiment_id, id);

--
-- Name: incidents_kind_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX incidents_kind_index ON public.incidents USING btree (kind, id);

--
-- Name: incidents_open_group_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX incidents_open_group_index ON public.incidents USING btree (cause_group, id) WHERE ((closed_at IS NULL) AND (cause_group IS NOT NULL));

--
-- Name: incidents_open_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX incidents_open_index ON public.incidents USING btree (id) WHERE (closed_at IS NULL);

--
-- Name: incidents_open_kind_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX incidents_open_kind_index ON public.incidents USING btree (kind, id) WHERE (closed_at IS NULL);

--
-- Name: incidents_open_queue_unique; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX incidents_open_queue_unique ON public.incidents USING btree (queue) WHERE ((closed_at IS NULL) AND (queue IS NOT NULL));

--
-- Name: incidents_open_ungrouped_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX incidents_open_ungrouped_index ON public.incidents USING btree (id) WHERE ((closed_at IS NULL) AND (cause_group IS NULL) AND (kind = ANY (ARRAY['failed'::text, 'timed_out'::text])));

--
-- Name: incidents_open_unique; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX incidents_open_unique ON public.incidents USING btree (experiment_id, kind) WHERE (closed_at IS NULL);

--
-- Name: insight_experiments_oldest_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX insight_experiments_oldest_index ON public.insight_experiments USING btree (state_id, cohort_id, entered_at);

--
-- Name: insight_levels_state_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX insight_levels_state_index ON public.insight_levels USING btree (state_id, cohort_id);

--
-- Name: insight_runs_cause_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX insight_runs_cause_index ON public.insight_runs USING btree (callback_id, cause_group, cohort_id, execution_id);

--
-- Name: insight_runs_experiment_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX insight_runs_experiment_index ON public.insight_runs USING btree (experiment_id);

--
-- Name: notes_experiment_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notes_experiment_index ON public.notes USING btree (experiment_id, id);

--
-- Name: password_resets_asked_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX password_resets_asked_at_index ON public.password_resets USING btree (asked_at);

--
-- Name: password_resets_user_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX password_resets_user_index ON public.password_resets USING btree (user_id, asked_at);

--
-- Name: password_resets_waiting_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX password_resets_waiting_index ON public.password_resets USING btree (next_try_at) WHERE ((sent_at IS NULL) AND (ended_at IS NULL));

--
-- Name: scans_cohort_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scans_cohort_index ON public.scans USING btree (cohort_id, id);

--
-- Name: scans_experiment_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scans_experiment_index ON public.scans USING btree (experiment_id);

--
-- Name: sessions_expires_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_expires_at_index ON public.sessions USING btree (expires_at);

--
-- Name: sessions_user_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_user_index ON public.sessions USING btree (user_id, id) WHERE (ended_at IS NULL);

--
-- Name: sign_in_failures_since_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_failures_since_index ON public.sign_in_failures USING btree (since);

--
-- Name: state_counts_cohort_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX state_counts_cohort_index ON public.state_counts USING btree (cohort_id);

--
-- Name: subjects_cohort_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX subjects_cohort_index ON public.subjects USING btree (cohort_id, id);

--
-- Name: subjects_cohort_label_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX subjects_cohort_label_index ON public.subjects USING btree (cohort_id, label);

--
-- Name: subjects_label_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX subjects_label_index ON public.subjects USING btree (lower(label), id);

--
-- Name: subjects_withdrawn_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX subjects_withdrawn_index ON public.subjects USING btree (id) WHERE (withdrawn_at IS NOT NULL);

--
-- Name: transitions_workflow_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX transitions_workflow_index ON public.transitions USING btree (workflow_id, id);

--
-- Name: user_roles_role_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX user_roles_role_index ON public.user_roles USING btree (role_id);

--
-- Name: verifications_unfinished_unique; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX verifications_unfinished_unique ON public.verifications USING btree (((finished_at IS NULL))) WHERE (finished_at IS NULL);

--
-- Name: views_cohort_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX views_cohort_index ON public.views USING btree (cohort_id, id) WHERE (cohort_id IS NOT NULL);

--
-- Name: callback_versions callback_systems_recorded; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER callback_systems_recorded AFTER INSERT ON public.callback_versions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.record_callback_systems();

--
-- Name: erasures counts_folded; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER counts_folded AFTER INSERT ON public.erasures FOR EACH STATEMENT EXECUTE FUNCTION public.fold_after_erasure();

--
-- Name: external_systems external_system_urls_checked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER external_system_urls_checked AFTER UPDATE OF url ON public.external_systems FOR EACH ROW WHEN ((old.url <> new.url)) EXECUTE FUNCTION public.check_external_system();

--
-- Name: external_systems external_systems_checked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER external_systems_checked AFTER INSERT ON public.external_systems FOR EACH ROW EXECUTE FUNCTION public.check_external_system();

--
-- Name: history history_chained; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER history_chained BEFORE INSERT ON public.history FOR EACH ROW EXECUTE FUNCTION public.chain_history();

--
-- Name: experiments search_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER search_changed AFTER UPDATE OF label, subject_id ON public.experiments FOR EACH ROW WHEN (((old.label <> new.label) OR (old.subject_id <> new.subject_id))) EXECUTE FUNCTION public.write_experiment_search();

--
-- Name: external_experiment_links search_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER search_changed AFTER INSERT OR DELETE OR UPDATE OF experiment_id, external_id ON public.external_experiment_links FOR EACH ROW EXECUTE FUNCTION public.write_experiment_link_search();

--
-- Name: external_subject_links search_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER search_changed AFTER INSERT OR DELETE OR UPDATE OF subject_id, external_id ON public.external_subject_links FOR EACH ROW EXECUTE FUNCTION public.write_subject_link_search();

--
-- Name: subjects search_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER search_changed AFTER UPDATE OF label ON public.subjects FOR EACH ROW WHEN ((old.label <> new.label)) EXECUTE FUNCTION public.write_subject_search();

--
-- Name: experiments search_written; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER search_written AFTER INSERT ON public.experiments FOR EACH ROW EXECUTE FUNCTION public.write_experiment_search();

--
-- Name: subjects subject_changes_counted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER subject_changes_counted AFTER UPDATE OF label, withdrawn_at, cohort_id ON public.subjects FOR EACH ROW WHEN (((old.label <> new.label) OR (old.withdrawn_at IS DISTINCT FROM new.withdrawn_at) OR (old.cohort_id <> new.cohort_id))) EXECUTE FUNCTION public.count_changed_subject();

--
-- Name: subjects subjects_counted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER subjects_counted AFTER INSERT ON public.subjects REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_new_subjects();

--
-- Name: experiments visit_changes_counted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER visit_changes_counted AFTER UPDATE OF label, subject_id, cohort_id ON public.experiments FOR EACH ROW WHEN (((old.label <> new.label) OR (old.subject_id <> new.subject_id) OR (old.cohort_id <> new.cohort_id))) EXECUTE FUNCTION public.count_changed_experiment();

--
-- Name: experiments visits_counted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER visits_counted AFTER INSERT ON public.experiments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_new_experiments();

--
-- Name: actions actions_experiment_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.actions
    ADD CONSTRAINT actions_experiment_fk FOREIGN KEY (experiment_id) REFERENCES public.experiments(id);

--
-- Name: actions actions_retry_of_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.actions
    ADD CONSTRAINT actions_retry_of_fk FOREIGN KEY (retry_of) REFERENCES public.actions(id);

--
-- Name: api_tokens api_tokens_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_user_fk FOREIGN KEY (user_id) REFERENCES public.users(id);

--
-- Name: attention_visits attention_visits_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.attention_visits
    ADD CONSTRAINT attention_visits_user_fk FOREIGN KEY (user_id) REFERENCES public.users(id);

--
-- Name: bulk_items bulk_items_operation_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bulk_items
    ADD CONSTRAINT bulk_items_operation_fk FOREIGN KEY (operation_id) REFERENCES public.bulk_operations(id);

--
-- Name: bulk_operations bulk_operations_author_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bulk_operations
    ADD CONSTRAINT bulk_operations_author_fk FOREIGN KEY (author_id) REFERENCES public.users(id);

--
-- Name: bulk_refusals bulk_refusals_operation_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bulk_refusals
    ADD CONSTRAINT bulk_refusals_operation_fk FOREIGN KEY (operation_id) REFERENCES public.bulk_operations(id) ON DELETE CASCADE;

--
-- Name: callback_executions callback_executions_action_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_executions
    ADD CONSTRAINT callback_executions_action_fk FOREIGN KEY (action_id) REFERENCES public.actions(id);

--
-- Name: callback_systems callback_systems_callback_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_systems
    ADD CONSTRAINT callback_systems_callback_fk FOREIGN KEY (callback_id) REFERENCES public.callbacks(id);

--
-- Name: callback_versions callback_versions_callback_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_versions
    ADD CONSTRAINT callback_versions_callback_fk FOREIGN KEY (callback_id) REFERENCES public.callbacks(id);

--
-- Name: callbacks callbacks_current_version_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callbacks
    ADD CONSTRAINT callbacks_current_version_fk FOREIGN KEY (id, current_version) REFERENCES public.callback_versions(callback_id, version) DEFERRABLE INITIALLY DEFERRED;

--
-- Name: callbacks callbacks_state_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callbacks
    ADD CONSTRAINT callbacks_state_fk FOREIGN KEY (state_id) REFERENCES public.states(id);

--
-- Name: cohort_roles cohort_roles_cohort_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohort_roles
    ADD CONSTRAINT cohort_roles_cohort_fk FOREIGN KEY (cohort_id) REFERENCES public.cohorts(id);

--
-- Name: cohort_roles cohort_roles_role_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohort_roles
    ADD CONSTRAINT cohort_roles_role_fk FOREIGN KEY (role_id) REFERENCES public.roles(id);

--
-- Name: cohort_roles cohort_roles_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohort_roles
    ADD CONSTRAINT cohort_roles_user_fk FOREIGN KEY (user_id) REFERENCES public.users(id);

--
-- Name: cohort_urls cohort_urls_cohort_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohort_urls
    ADD CONSTRAINT cohort_urls_cohort_fk FOREIGN KEY (cohort_id) REFERENCES public.cohorts(id);

--
-- Name: cohort_urls cohort_urls_external_system_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cohort_urls
    ADD CONSTRAINT cohort_urls_external_system_fk FOREIGN KEY (external_system_id) REFERENCES public.external_systems(id);

--
-- Name: contact_gaps contact_gaps_holder_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.contact_gaps
    ADD CONSTRAINT contact_gaps_holder_fk FOREIGN KEY (holder) REFERENCES public.contact(holder);

--
-- Name: erasure_requests erasure_requests_subject_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasure_requests
    ADD CONSTRAINT erasure_requests_subject_fk FOREIGN KEY (subject_id) REFERENCES public.subjects(id);

--
-- Name: erasure_requests erasure_requests_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasure_requests
    ADD CONSTRAINT erasure_requests_user_fk FOREIGN KEY (requested_by) REFERENCES public.users(id);

--
-- Name: erasures erasures_request_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_request_fk FOREIGN KEY (id) REFERENCES public.erasure_requests(id);

--
-- Name: erasures erasures_subject_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_subject_fk FOREIGN KEY (subject_id) REFERENCES public.subjects(id);

--
-- Name: erasures erasures_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_user_fk FOREIGN KEY (erased_by) REFERENCES public.users(id);

--
-- Name: execution_attempts execution_attempts_execution_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.execution_attempts
    ADD CONSTRAINT execution_attempts_execution_fk FOREIGN KEY (execution_id) REFERENCES public.callback_executions(id);

--
-- Name: experiment_search experiment_search_experiment_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.experiment_search
    ADD CONSTRAINT experiment_search_experiment_fk FOREIGN KEY (cohort_id, experiment_id) REFERENCES public.experiments(cohort_id, id) ON UPDATE CASCADE;

--
-- Name: experiment_variables experiment_variables_experiment_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.experiment_variables
    ADD CONSTRAINT experiment_variables_experiment_fk FOREIGN KEY (experiment_id) REFERENCES public.experiments(id);

--
-- Name: experiments experiments_state_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT experiments_state_fk FOREIGN KEY (state_id, workflow_id) REFERENCES public.states(id, workflow_id);

--
-- Name: experiments experiments_subject_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT experiments_subject_fk FOREIGN KEY (subject_id, cohort_id) REFERENCES public.subjects(id, cohort_id) ON UPDATE CASCADE;

--
-- Name: external_experiment_links external_experiment_links_experiment_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_experiment_links
    ADD CONSTRAINT external_experiment_links_experiment_fk FOREIGN KEY (cohort_id, experiment_id) REFERENCES public.experiments(cohort_id, id) ON UPDATE CASCADE;

--
-- Name: external_experiment_links external_experiment_links_external_system_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_experiment_links
    ADD CONSTRAINT external_experiment_links_external_system_fk FOREIGN KEY (external_system_id) REFERENCES public.external_systems(id);

--
-- Name: external_subject_links external_subject_links_external_system_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_subject_links
    ADD CONSTRAINT external_subject_links_external_system_fk FOREIGN KEY (external_system_id) REFERENCES public.external_systems(id);

--
-- Name: external_subject_links external_subject_links_subject_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_subject_links
    ADD CONSTRAINT external_subject_links_subject_fk FOREIGN KEY (subject_id, cohort_id) REFERENCES public.subjects(id, cohort_id) ON UPDATE CASCADE;

--
-- Name: external_system_checks external_system_checks_external_system_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_system_checks
    ADD CONSTRAINT external_system_checks_external_system_fk FOREIGN KEY (external_system_id) REFERENCES public.external_systems(id) ON DELETE CASCADE;

--
-- Name: follow_ups follow_ups_assignee_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.follow_ups
    ADD CONSTRAINT follow_ups_assignee_fk FOREIGN KEY (assignee_id) REFERENCES public.users(id);

--
-- Name: follow_ups follow_ups_experiment_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.follow_ups
    ADD CONSTRAINT follow_ups_experiment_fk FOREIGN KEY (cohort_id, experiment_id) REFERENCES public.experiments(cohort_id, id) ON UPDATE CASCADE;

--
-- Name: follow_ups follow_ups_snoozed_by_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.follow_ups
    ADD CONSTRAINT follow_ups_snoozed_by_fk FOREIGN KEY (snoozed_by) REFERENCES public.users(id);

--
-- Name: import_faults import_faults_import_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_faults
    ADD CONSTRAINT import_faults_import_fk FOREIGN KEY (import_id) REFERENCES public.imports(id);

--
-- Name: import_keys import_keys_import_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_keys
    ADD CONSTRAINT import_keys_import_fk FOREIGN KEY (import_id) REFERENCES public.imports(id);

--
-- Name: import_lines import_lines_import_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_lines
    ADD CONSTRAINT import_lines_import_fk FOREIGN KEY (import_id) REFERENCES public.imports(id);

--
-- Name: import_mappings import_mappings_changed_by_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_mappings
    ADD CONSTRAINT import_mappings_changed_by_fk FOREIGN KEY (changed_by) REFERENCES public.users(id);

--
-- Name: import_mappings import_mappings_cohort_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_mappings
    ADD CONSTRAINT import_mappings_cohort_fk FOREIGN KEY (cohort_id) REFERENCES public.cohorts(id);

--
-- Name: imports imports_author_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_author_fk FOREIGN KEY (author_id) REFERENCES public.users(id);

--
-- Name: imports imports_cohort_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_cohort_fk FOREIGN KEY (cohort_id) REFERENCES public.cohorts(id);

--
-- Name: imports imports_workflow_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_workflow_fk FOREIGN KEY (workflow_id) REFERENCES public.workflows(id);

--
-- Name: incident_cohorts incident_cohorts_cohort_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incident_cohorts
    ADD CONSTRAINT incident_cohorts_cohort_fk FOREIGN KEY (cohort_id) REFERENCES public.cohorts(id);

--
-- Name: incident_cohorts incident_cohorts_execution_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incident_cohorts
    ADD CONSTRAINT incident_cohorts_execution_fk FOREIGN KEY (execution_id) REFERENCES public.callback_executions(id);

--
-- Name: incident_cohorts incident_cohorts_incident_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incident_cohorts
    ADD CONSTRAINT incident_cohorts_incident_fk FOREIGN KEY (incident_id) REFERENCES public.incidents(id);

--
-- Name: incidents incidents_action_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incidents
    ADD CONSTRAINT incidents_action_fk FOREIGN KEY (action_id) REFERENCES public.actions(id);

--
-- Name: incidents incidents_execution_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incidents
    ADD CONSTRAINT incidents_execution_fk FOREIGN KEY (execution_id) REFERENCES public.callback_executions(id);

--
-- Name: incidents incidents_experiment_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incidents
    ADD CONSTRAINT incidents_experiment_fk FOREIGN KEY (experiment_id) REFERENCES public.experiments(id);

--
-- Name: notes notes_experiment_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_experiment_fk FOREIGN KEY (cohort_id, experiment_id) REFERENCES public.experiments(cohort_id, id) ON UPDATE CASCADE;

--
-- Name: notes notes_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_user_fk FOREIGN KEY (user_id) REFERENCES public.users(id);

--
-- Name: password_resets password_resets_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_user_fk FOREIGN KEY (user_id) REFERENCES public.users(id);

--
-- Name: scans scans_experiment_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scans
    ADD CONSTRAINT scans_experiment_fk FOREIGN KEY (cohort_id, experiment_id) REFERENCES public.experiments(cohort_id, id) ON UPDATE CASCADE;

--
-- Name: scans scans_scantype_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scans
    ADD CONSTRAINT scans_scantype_fk FOREIGN KEY (scantype_id) REFERENCES public.scantypes(id);

--
-- Name: sessions sessions_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_fk FOREIGN KEY (user_id) REFERENCES public.users(id);

--
-- Name: states states_workflow_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_workflow_fk FOREIGN KEY (workflow_id) REFERENCES public.workflows(id);

--
-- Name: subjects subjects_cohort_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subjects
    ADD CONSTRAINT subjects_cohort_fk FOREIGN KEY (cohort_id) REFERENCES public.cohorts(id);

--
-- Name: transitions transitions_destination_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transitions
    ADD CONSTRAINT transitions_destination_fk FOREIGN KEY (destination_state_id, workflow_id) REFERENCES public.states(id, workflow_id);

--
-- Name: transitions transitions_source_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transitions
    ADD CONSTRAINT transitions_source_fk FOREIGN KEY (source_state_id, workflow_id) REFERENCES public.states(id, workflow_id);

--
-- Name: user_identities user_identities_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_user_fk FOREIGN KEY (user_id) REFERENCES public.users(id);

--
-- Name: user_roles user_roles_role_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_role_fk FOREIGN KEY (role_id) REFERENCES public.roles(id);

--
-- Name: user_roles user_roles_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_user_fk FOREIGN KEY (user_id) REFERENCES public.users(id);

--
-- Name: verifications verifications_user_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.verifications
    ADD CONSTRAINT verifications_user_fk FOREIGN KEY (requested_by) REFERENCES public.users(id);

--
-- Name: views views_cohort_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_cohort_fk FOREIGN KEY (cohort_id) REFERENCES public.cohorts(id);

--
-- Name: views views_owner_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_owner_fk FOREIGN KEY (owner_id) REFERENCES public.users(id);

--
-- Name: workflow_revisions workflow_revisions_author_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workflow_revisions
    ADD CONSTRAINT workflow_revisions_author_fk FOREIGN KEY (author_id) REFERENCES public.users(id);

--
-- Name: workflow_revisions workflow_revisions_workflow_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workflow_revisions
    ADD CONSTRAINT workflow_revisions_workflow_fk FOREIGN KEY (workflow_id) REFERENCES public.workflows(id);

--
-- Name: workflows workflows_initial_state_fk; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workflows
    ADD CONSTRAINT workflows_initial_state_fk FOREIGN KEY (initial_state_id, id) REFERENCES public.states(id, workflow_id);

--
-- PostgreSQL database dump complete
--
