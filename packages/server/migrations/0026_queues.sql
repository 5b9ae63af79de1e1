-- Outside a transaction: a statement at a time, each of which may run again.
--
-- Fair queues, and one incident per queue.
--
-- An action of a bulk move is marked, and so are the actions that follow from it automatically. The runs of a marked
-- action have a lower priority.

alter table actions add column if not exists bulk boolean not null default false;

-- The starts of runs that are not yet added to queue_progress: one row for each statement that starts runs. Like the
-- deltas of state counts, it has no key and no index, and whoever reads it reads all of it.
create table if not exists queue_starts (
  queue text not null,
  workflow_id bigint not null,
  bulk boolean not null,
  runs integer not null,
  at timestamptz(3) not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1
);

-- For each line of a queue, that is, the runs of one workflow and priority: how many runs have started, and the run that
-- has waited longest. A run is passed over if many others of its line start while it is the oldest.
create table if not exists queue_progress (
  queue text not null,
  workflow_id bigint not null,
  bulk boolean not null,
  started bigint not null default 0,
  last_started_at timestamptz(3) not null default clock_timestamp(), -- or when the line was first seen
  oldest_execution_id bigint,
  oldest_due timestamptz,
  started_before bigint not null default 0, -- the value of `started` when this run became the oldest
  constraint queue_progress_pk primary key (queue, workflow_id, bulk),
  constraint queue_progress_oldest_check check ((oldest_execution_id is null) = (oldest_due is null)),
  constraint queue_progress_started_check check (started_before between 0 and started)
);

-- An incident belongs to an experiment or to a queue. Of an incident of a queue, execution_id is the run that was passed over.
alter table incidents alter column experiment_id drop not null;
alter table incidents add column if not exists queue text;
alter table incidents drop constraint if exists incidents_subject_check;
alter table incidents add constraint incidents_subject_check
  check ((experiment_id is null) = (queue is not null)) not valid;
alter table incidents validate constraint incidents_subject_check;
alter table incidents drop constraint if exists incidents_queue_check;
alter table incidents add constraint incidents_queue_check check (queue is null or kind = 'unclaimed') not valid;
alter table incidents validate constraint incidents_queue_check;

-- At most one open per queue; finds the one that the start of a run closes.
drop index concurrently if exists incidents_open_queue_unique;
create unique index concurrently incidents_open_queue_unique on incidents (queue)
  where closed_at is null and queue is not null;

-- How many experiments of each cohort wait because of an incident of a queue, and the run that has waited longest. A user
-- sees the sum over the cohorts in scope. Workers refresh it while the incident is open.
create table if not exists incident_cohorts (
  incident_id bigint not null,
  cohort_id bigint not null,
  experiments integer not null,
  execution_id bigint not null,
  counted_at timestamptz(3) not null default clock_timestamp(),
  constraint incident_cohorts_pk primary key (incident_id, cohort_id),
  constraint incident_cohorts_incident_fk foreign key (incident_id) references incidents (id),
  constraint incident_cohorts_cohort_fk foreign key (cohort_id) references cohorts (id),
  constraint incident_cohorts_execution_fk foreign key (execution_id) references callback_executions (id),
  constraint incident_cohorts_experiments_check check (experiments >= 1)
);
