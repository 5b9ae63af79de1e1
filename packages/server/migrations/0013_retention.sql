-- Outside a transaction: a statement at a time, each of which may run again.
--
-- What is removed when its time is over, found by its age. Events, keys and sessions have their indexes already.

-- When the texts of a finished execution and its attempts gave way to a word that says so; null while they are there.
alter table callback_executions add column if not exists logs_removed_at timestamptz(3);

-- Executions that ended and still have their logs, oldest first: what is removed leaves it. Whether a text is empty is seen
-- by its length, so that a long one is not read for this. One that stopped half-way is made anew.
drop index concurrently if exists callback_executions_logs_index;
create index concurrently callback_executions_logs_index on callback_executions (finished)
  where logs_removed_at is null and finished is not null and (run_log <> '' or result_log <> '');
