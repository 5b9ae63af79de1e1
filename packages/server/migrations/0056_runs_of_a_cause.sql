-- Outside a transaction: one statement at a time, each of which may run again.
--
-- Queries find the runs of one cause that failed or were retried in a period, however many others there are. Other runs are not in it.
drop index concurrently if exists callback_executions_cause_index;
create index concurrently callback_executions_cause_index on callback_executions (cause_key, callback_id, finished)
  where status = 'finished' and (result in ('failed', 'timeout') or attempt > 1);
