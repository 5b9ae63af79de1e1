-- Why workers cannot continue with a bulk operation or an import at this moment. Null while it makes progress.
alter table bulk_operations add column waiting_for text;
alter table imports add column waiting_for text;

-- Uploads and paused work that workers stop after some time. `next_at` is the time of their last change.
create index imports_idle_index on imports (next_at) where status in ('uploading', 'paused');
create index bulk_operations_idle_index on bulk_operations (next_at) where status = 'paused';
-- Dry runs that were never applied are removed sooner than other operations.
create index bulk_operations_dry_run_index on bulk_operations (coalesce(ended_at, created_at))
  where status in ('checked', 'stopped') and not starts_itself and started_at is null;
