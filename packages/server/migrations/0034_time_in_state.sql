-- Outside a transaction: a statement at a time, each of which may run again.
--
-- The moves out of a state by time, newest first, for the time in state. A retry stays in the state, and the first action leaves none.
-- Nothing updates these columns, so only a move writes to the index.

drop index concurrently if exists actions_leaving_index;
create index concurrently actions_leaving_index on actions (transition_id, start_time)
  where retry_of is null and sequence > 1;
