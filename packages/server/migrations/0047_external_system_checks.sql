-- Whether external systems respond, and which callbacks use them (docs/decisions/0050).
--
-- Sizes: a row for each external system, and a few for each callback. Both tables are written by triggers, so that no write of a URL or
-- of a callback can be forgotten, also by the previous release during an upgrade.

-- The last check. A system without a URL has no row. A new URL starts over with a new row, which is due at once.
create table external_system_checks (
  external_system_id bigint constraint external_system_checks_pk primary key,
  next_at timestamptz(3) not null default clock_timestamp(), -- during a check, the time at which another worker may take over
  checked_at timestamptz(3),
  result text,
  latency_ms integer,
  error text, -- why it is unreachable, or not allowed
  failing_since timestamptz(3),
  last_error text, -- kept after it responds again
  last_error_at timestamptz(3),
  constraint external_system_checks_external_system_fk foreign key (external_system_id) references external_systems (id) on delete cascade,
  constraint external_system_checks_checked_check check ((checked_at is null) = (result is null)),
  constraint external_system_checks_result_check check (result in ('reachable', 'unreachable', 'not_allowed')),
  constraint external_system_checks_latency_check
    check ((latency_ms is not null) = (result is not distinct from 'reachable') and latency_ms >= 0),
  constraint external_system_checks_error_check
    check ((error is not null) = coalesce(result <> 'reachable', false) and char_length(error) between 1 and 500),
  constraint external_system_checks_failing_check check ((failing_since is not null) = (result is not distinct from 'unreachable')),
  constraint external_system_checks_last_error_check
    check ((last_error is null) = (last_error_at is null) and char_length(last_error) between 1 and 500)
) with (fillfactor = 50); -- updates stay on their page

-- Those that are due.
create index external_system_checks_next_index on external_system_checks (next_at);

create function check_external_system() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from external_system_checks where external_system_id = new.id;
  insert into external_system_checks (external_system_id) select new.id where new.url <> '';
  return null;
end $$;

create trigger external_systems_checked after insert on external_systems for each row execute function check_external_system();
create trigger external_system_urls_checked after update of url on external_systems for each row
  when (old.url <> new.url) execute function check_external_system();

insert into external_system_checks (external_system_id) select id from external_systems where url <> '';

-- The external systems that callbacks name in their current version, whether such a system exists or not.
create table callback_systems (
  callback_id bigint not null,
  system_name text collate "C" not null,
  in_capitals boolean not null, -- written as $CASTOR, which is the system Castor if there is no CASTOR
  constraint callback_systems_pk primary key (callback_id, system_name, in_capitals),
  constraint callback_systems_callback_fk foreign key (callback_id) references callbacks (id)
);

-- The callbacks that use a system.
create index callback_systems_name_index on callback_systems (system_name, callback_id);

-- The names in placeholders (functions/render-placeholders.ts), and those that create_task uses by default (functions/create-task.ts).
-- A name of more than 100 characters is not one of a system.
create function systems_in_callback(function text, arguments json) returns table (system_name text, in_capitals boolean)
  language sql immutable parallel safe as $$
  select named.name, named.in_capitals from (
    select regexp_replace(coalesce(btrim(found[1]), found[2]), '\\(["\\])', '\1', 'g') as name, found[1] is null as in_capitals
    from regexp_matches(arguments::text,
      '\{\{\s*(?:external_systems|(?:experiment|subject)\.external_ids)\.([^{}]*)\}\}|\$([A-Za-z_][A-Za-z0-9_]*)', 'g') as found
    union
    select coalesce(arguments ->> parameter.name, parameter.by_default), false
    from (values ('taskmanager_external_system_name', 'TASKMANAGER'), ('xnat_external_system', 'XNAT')) as parameter (name, by_default)
    where function = 'create_task'
  ) as named where char_length(named.name) between 1 and 100
$$;

create function record_callback_systems() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from callback_systems using added where callback_systems.callback_id = added.callback_id;
  insert into callback_systems (callback_id, system_name, in_capitals)
    select added.callback_id, named.system_name, named.in_capitals
    from added cross join lateral systems_in_callback(added.function, added.callback_arguments) as named;
  return null;
end $$;

create trigger callback_systems_recorded after insert on callback_versions
  referencing new table as added for each statement execute function record_callback_systems();

insert into callback_systems (callback_id, system_name, in_capitals)
  select callbacks.id, named.system_name, named.in_capitals
  from callbacks
  join callback_versions on callback_versions.callback_id = callbacks.id and callback_versions.version = callbacks.current_version
  cross join lateral systems_in_callback(callback_versions.function, callback_versions.callback_arguments) as named;

revoke execute on function check_external_system(), record_callback_systems() from public;
