-- Outside a transaction: a statement at a time, each of which may run again.
--
-- What is removed when its time is over, found by its age. Events, keys and sessions have their indexes already.

-- When the texts of a finished execution and its attempts gave way to a word that says so, or were looked for and there was
-- none; null while they are there.
alter table callback_executions add column if not exists logs_removed_at timestamptz(3);

-- Executions that ended and still have their logs, or attempts that may have one, oldest first: what is removed leaves it.
-- Whether a text is empty is seen by its length, so that a long one is not read for this. An index of the logs of attempts
-- would be written by every heartbeat. One that stopped half-way is made anew.
drop index concurrently if exists callback_executions_logs_index;
create index concurrently callback_executions_logs_index on callback_executions (finished)
  where logs_removed_at is null and finished is not null and (run_log <> '' or result_log <> '' or attempt > 0);
