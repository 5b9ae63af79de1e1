-- The rows that a move from one state to another writes, including the count deltas of both states.
\set id random(1, 10000)
\set to random(1, 2)
with workflow as (
  select workflows.id from workflows where workflows.id = 1 and workflows.revision = 1 for key share
), moved as (
  update experiments
  set state_id = :to, version = experiments.version + 1, action_sequence = experiments.action_sequence + 1
  where experiments.id = :id and exists (select from workflow)
  returning experiments.id, experiments.action_sequence, experiments.cohort_id
), action as (
  insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, freetext, actor_kind, actor_id)
  select moved.id, moved.action_sequence, 2, clock.now, clock.now, true, 'No callback for state', '', 'user', 1
  from moved cross join (select clock_timestamp() as now) as clock
  returning actions.id
), counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select change.state_id, moved.cohort_id, change.experiments
  from moved cross join (values (3 - :to, -1), (:to, 1)) as change (state_id, experiments)
), recorded as (
  insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
  select 'user', 1, '0b7f2c1e-6a52-4a0f-9f4e-2f1d7a0c9b11', 'setExperimentState', 'experiment', moved.id, '{"state":"resting"}',
    jsonb_build_object('state', 'resting', 'state_id', 1, 'transition_id', 2, 'action_id', action.id), ''
  from moved cross join action
), announced as (
  insert into events (kind, object_kind, object_id, cohort_id, data)
  select 'setExperimentState', 'experiment', moved.id, moved.cohort_id,
    jsonb_build_object('state', 'resting', 'state_id', 1, 'transition_id', 2, 'action_id', action.id)
  from moved cross join action
)
select action.id from action;
