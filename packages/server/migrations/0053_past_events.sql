-- Outside a transaction: one statement at a time, each of which may run again.
--
-- Queries find the experiments that arrived in a period. A move does not write this index, only the creation of an experiment does.
drop index concurrently if exists actions_arriving_index;
create index concurrently actions_arriving_index on actions (transition_id, start_time) include (experiment_id)
  where sequence = 1 and retry_of is null;
-- Queries find the runs that failed or were retried in a period. Other runs are not in it.
drop index concurrently if exists callback_executions_troubled_index;
create index concurrently callback_executions_troubled_index on callback_executions (callback_id, finished)
  where status = 'finished' and (result in ('failed', 'timeout') or attempt > 1);
