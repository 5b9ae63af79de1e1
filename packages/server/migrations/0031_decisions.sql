-- Outside a transaction: a statement at a time, each of which may run again.
--
-- What pages show of a state and a transition, and the decision that users make in a state. `json` keeps the order of the file.
alter table states
  add column if not exists title text,
  add column if not exists colour text,
  add column if not exists outcome text,
  add column if not exists decision json,
  drop constraint if exists states_title_check,
  drop constraint if exists states_colour_check,
  drop constraint if exists states_outcome_check,
  drop constraint if exists states_decision_check,
  add constraint states_title_check check (char_length(title) between 1 and 100),
  add constraint states_colour_check check (colour ~ '^#[0-9a-f]{6}$'),
  add constraint states_outcome_check check (outcome in ('good', 'bad', 'neutral')),
  add constraint states_decision_check check (json_typeof(decision) = 'object');
alter table transitions
  add column if not exists title text,
  drop constraint if exists transitions_title_check,
  add constraint transitions_title_check check (char_length(title) between 1 and 100);

-- An experiment rests if nothing runs for it, it has no incident and its state is not final: only a person moves it on. The mark holds
-- for the action with the sequence `resting_sequence`, so every move removes it without a write, also one by the previous release.
-- Set by the change that brings the experiment to rest, and by a task for those that have no mark yet.
alter table experiments
  add column if not exists resting_sequence bigint,
  add column if not exists resting_since timestamptz;
-- Those that rest, by state, the longest waiting first. It has only them, and only a change that brings one to rest writes to it.
drop index concurrently if exists experiments_resting_index;
create index concurrently experiments_resting_index on experiments (state_id, resting_since, id) include (cohort_id)
  where resting_sequence = action_sequence;
