-- Outside a transaction: a statement at a time, each of which may run again.
--
-- A run whose external system is down is retried for a time and not for a number of attempts. Retries to one host start at
-- a limited rate over all workers, so that a system that comes back is not overrun.

alter table callback_versions
  add column if not exists retry_for integer not null default 45, -- minutes
  add column if not exists retry_first integer not null default 5, -- seconds
  drop constraint if exists callback_versions_retry_for_check,
  add constraint callback_versions_retry_for_check check (retry_for between 0 and 10080) not valid,
  drop constraint if exists callback_versions_retry_first_check,
  add constraint callback_versions_retry_first_check check (retry_first between 1 and 300) not valid;
alter table callback_versions validate constraint callback_versions_retry_for_check;
alter table callback_versions validate constraint callback_versions_retry_first_check;

alter table callback_executions
  add column if not exists failing_since timestamptz(3), -- the first of the temporary failures in a row
  add column if not exists lost_workers integer not null default 0, -- over the whole run
  add column if not exists retry_host text, -- that the last attempt could not reach; its retries are paced
  add column if not exists retry_slot boolean not null default false, -- next_attempt_at is its turn at that host
  drop constraint if exists callback_executions_lost_workers_check,
  add constraint callback_executions_lost_workers_check check (lost_workers between 0 and attempt) not valid;
alter table callback_executions validate constraint callback_executions_lost_workers_check;

-- Runs that are failing now, the oldest series first, for the metrics. The previous release ends runs without clearing
-- failing_since, so the status decides.
drop index concurrently if exists callback_executions_failing_index;
create index concurrently callback_executions_failing_index on callback_executions (failing_since)
  where failing_since is not null and status = 'running';

-- One row per host. A start of a retry locks it, counts itself in the current second, and otherwise takes the next slot.
create table if not exists retry_pace (
  host text collate "C" constraint retry_pace_pk primary key,
  second timestamptz(0) not null default '-infinity', -- of the latest starts
  started integer not null default 0, -- in that second
  next_slot timestamptz(3) not null default '-infinity', -- the end of the line
  constraint retry_pace_started_check check (started >= 0)
) with (fillfactor = 50);
