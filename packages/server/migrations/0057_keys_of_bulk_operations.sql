-- Requests that create or apply a bulk operation accept an Idempotency-Key. The hash of such a request can confirm a guess of its texts.
-- As before, and the hashes are replaced together with the texts.
create or replace function forget_bulk_operations(these erased_ids) returns bigint language plpgsql as $$
declare
  gone bigint;
begin
  with names as materialized (
    select distinct words_of(name) as words from names_to_erase(these) as name
  ), texts as materialized (
    select bulk_operations.id, words_of(concat_ws(' ', bulk_operations.query, bulk_operations.reason,
      bulk_operations.change ->> 'text', bulk_operations.change ->> 'variables')) as words
    from bulk_operations
  ), forgotten as (
    update bulk_operations
    set query = null, reason = '', change = bulk_operations.change - 'text' - 'variables',
      status = case when ended_at is null then 'stopped' else status end,
      stopped_because = case when ended_at is null then 'A subject that it concerns was erased.' else stopped_because end,
      ended_at = coalesce(ended_at, clock_timestamp())
    where bulk_operations.id in (
      select texts.id from texts where exists (
        select from names where names.words <> '  ' and strpos(texts.words, names.words) > 0))
      or (select bool_and(found.experiment_id = any(these.experiments)) from (
        select bulk_items.experiment_id from bulk_items
        where bulk_items.operation_id = bulk_operations.id and bulk_items.cohort_id is not null
        order by bulk_items.number limit cardinality(these.experiments) + 1) as found)
    returning bulk_operations.id
  ), keys as (
    update idempotency_keys as kept set request_hash = sha256(uuid_send(gen_random_uuid()))
    from forgotten
    where kept.operation in ('createBulkOperation', 'applyBulkOperation')
      and split_part(kept.location, '/bulk_operations/', 2) = forgotten.id::text
  )
  select count(*) into gone from forgotten;
  return gone;
end $$;
