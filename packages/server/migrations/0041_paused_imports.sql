-- Outside a transaction: a statement at a time, each of which may run again.
--
-- An import can be paused. It has a pace, like a bulk operation.
alter table imports add column if not exists per_minute integer; -- how many lines it imports, averaged over the latest sets
alter table imports drop constraint if exists imports_status_check;
alter table imports add constraint imports_status_check
  check (status in ('uploading', 'checking', 'checked', 'running', 'paused', 'finished', 'stopped')) not valid;
alter table imports validate constraint imports_status_check;
