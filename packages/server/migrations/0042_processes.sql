-- Servers and workers, for the page of the installation. Each process updates its row every few seconds. A row that is a day old is
-- deleted when another process starts.
create table processes (
  id bigint generated always as identity constraint processes_pk primary key,
  kind text not null,
  host text not null,
  pid integer not null,
  milepost_version text not null,
  runs integer not null default 0, -- the attempts that a worker runs
  started_at timestamptz(3) not null default clock_timestamp(),
  seen_at timestamptz(3) not null default clock_timestamp(),
  stopped_at timestamptz(3), -- set by a process that stops as intended
  constraint processes_kind_check check (kind in ('server', 'worker')),
  constraint processes_runs_check check (runs >= 0)
) with (fillfactor = 50); -- updates stay on their page
