-- Counts: how many experiments are in each state, exact at any moment and cheap at any size; and up to where events have
-- been forgotten.
--
-- Sizes: a row of state_counts for each state and cohort that ever met, at most some ten thousand. Changes wait in
-- state_count_deltas until they are folded into them: some seconds' worth of moves.
--
-- A counter in a row of its own would make all moves into a state wait for each other. So a move only inserts what it
-- changes, in its own statement, and the count is the sum of both tables in one snapshot.

create table state_counts (
  state_id bigint not null,
  cohort_id bigint not null,
  experiments bigint not null,
  constraint state_counts_pk primary key (state_id, cohort_id)
) with (
  -- Few rows, updated every few seconds: they stay on their page.
  fillfactor = 50
);

-- No key and no index: a move pays for each, and whoever reads this table reads all of it.
create table state_count_deltas (
  state_id bigint not null,
  cohort_id bigint not null,
  experiments bigint not null
) with (
  -- What was folded is dead and still read past: it is cleared away by number, whatever the size of the table.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1
);

-- What is there already. Nobody moves an experiment meanwhile, so that none is counted twice or not at all.
lock table experiments in share mode;
insert into state_counts (state_id, cohort_id, experiments)
  select state_id, cohort_id, count(*) from experiments group by state_id, cohort_id;

-- The last event that retention has deleted, in the order of the stream: whoever read up to an earlier one has missed some.
create table forgotten_events (
  only_row boolean not null default true constraint forgotten_events_pk primary key,
  xid xid8 not null,
  id bigint not null,
  constraint forgotten_events_only_row_check check (only_row)
);

insert into forgotten_events (xid, id) values ('0', 0);
