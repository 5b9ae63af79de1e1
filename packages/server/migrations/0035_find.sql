-- Outside a transaction: a statement at a time, each of which may run again.
--
-- Finds executions that did not succeed, for lists by status and result. A run that succeeds writes nothing here.
drop index concurrently if exists callback_executions_result_index;
create index concurrently callback_executions_result_index on callback_executions (status, result, id)
  where status in ('finished', 'skipped') and result <> 'success';
