-- Outside a transaction: a statement at a time, each of which may run again.
--
-- A result can be reported before its execution is finished. It is kept here until then, and counts only then. One that is
-- skipped has none.

alter table callback_executions
  drop constraint if exists callback_executions_resolved_result_check,
  drop constraint if exists callback_executions_skipped_result_check,
  add constraint callback_executions_skipped_result_check check (result = 'none' or status <> 'skipped') not valid;
alter table callback_executions validate constraint callback_executions_skipped_result_check;
