-- Outside a transaction: one statement at a time, each of which may run again.
--
-- The audit log shows changes by people, with one entry for a bulk operation or an import. A bulk operation adds an entry for each of up to
-- 200,000 experiments, which this index leaves out.
drop index concurrently if exists history_own_changes_index;
create index concurrently history_own_changes_index on history (actor_id, id)
  where actor_kind = 'user'
    and (chain in ('experiment', 'subject') and after ?| '{bulk_operation_id,import_id}') is not true;
