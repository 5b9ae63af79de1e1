-- An import can create an experiment in a state by a correction, which names the initial state as its source. Such an experiment arrives. It
-- leaves no state. The previous release counts it as a move, so `milepost insights rebuild` is needed after it has stopped.

-- As the task that counts does, so that the two never wait for each other.
select from insight_progress for update;

alter table insight_moves
  add column placed boolean not null default false, -- created by a correction
  drop constraint insight_moves_pk,
  add constraint insight_moves_pk primary key (cohort_id, transition_id, day, placed);

-- Figures that contain such experiments are counted again.
select rebuild_insights() where exists (
  select from transitions cross join lateral (
    select from actions where actions.transition_id = transitions.id and actions.sequence = 1 and actions.retry_of is null limit 1) as one
  where transitions.kind = 'correction');
