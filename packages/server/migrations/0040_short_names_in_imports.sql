-- Removes the lines that mention one of these names with their faults and keys, and the mappings that do. Stops the imports of these lines
-- that have not ended. Their rows are locked, so that no worker imports a line at the same time. The rest of a file that is being uploaded
-- is not known, so its import stops, too. An upload adds no lines to an import that has stopped. A name such as `12` is in many lines of
-- other cohorts, where it is an age or somebody else. So names with fewer than four characters are only looked for in the cohort of the
-- subject.
create or replace function forget_imports(these erased_ids) returns jsonb language plpgsql as $$
declare
  because constant text := 'A subject that it concerns was erased.';
  names text[]; -- in the cohort of the subject
  long_names text[]; -- in other cohorts
  own_cohort bigint;
  gone_lines bigint;
  gone_imports bigint;
  gone_mappings bigint;
begin
  select array_remove(array(select distinct words_of(name) from names_to_erase(these) as name), '  ') into names;
  select array(select name from unnest(names) as name where char_length(btrim(name)) >= 4) into long_names;
  select subjects.cohort_id into own_cohort from subjects where subjects.id = these.subject_id;
  perform from imports where ended_at is null order by id for update;
  update imports set status = 'stopped', stopped_because = 'A subject was erased during the upload. Upload the file again.',
    ended_at = clock_timestamp()
  where status = 'uploading';
  with mentioned as materialized (
    select import_lines.import_id, import_lines.line from import_lines join imports on imports.id = import_lines.import_id
    where mentions(texts_of(import_lines.cells) || array[import_lines.subject, import_lines.experiment],
      case when imports.cohort_id = own_cohort then names else long_names end)
  ), faults as (
    delete from import_faults using mentioned
    where import_faults.import_id = mentioned.import_id
      and import_faults.number between mentioned.line * 1000::bigint and mentioned.line * 1000::bigint + 999
  ), keys as (
    delete from import_keys using mentioned
    where import_keys.import_id = mentioned.import_id and import_keys.line = mentioned.line
  ), stopped as (
    update imports set status = 'stopped', stopped_because = because, ended_at = clock_timestamp()
    where imports.id in (select mentioned.import_id from mentioned) and imports.ended_at is null
  ), lines as (
    delete from import_lines using mentioned
    where import_lines.import_id = mentioned.import_id and import_lines.line = mentioned.line returning 1
  )
  select count(*) into gone_lines from lines;
  -- A fault in another line can name the owner of an ID.
  update import_faults set detail = because from imports
  where imports.id = import_faults.import_id
    and mentions(array[import_faults.detail], case when imports.cohort_id = own_cohort then names else long_names end);
  -- A file without a header has the values of its first line as headers.
  update imports set file_name = '', mapping_name = null,
    headers = array(select 'column ' || n from generate_series(1, cardinality(imports.headers)) as n),
    mapping = (select jsonb_agg(jsonb_build_object('target', 'ignored')) from unnest(imports.headers)),
    status = case when ended_at is null then 'stopped' else status end,
    stopped_because = case when ended_at is null then because else stopped_because end,
    ended_at = coalesce(ended_at, clock_timestamp())
  where mentions(array[imports.file_name, imports.mapping_name, imports.mapping::text] || imports.headers,
    case when imports.cohort_id = own_cohort then names else long_names end);
  get diagnostics gone_imports = row_count;
  delete from import_mappings where mentions(array[import_mappings.name, import_mappings.columns::text],
    case when import_mappings.cohort_id = own_cohort then names else long_names end);
  get diagnostics gone_mappings = row_count;
  return jsonb_build_object('import_lines', gone_lines, 'imports', gone_imports, 'import_mappings', gone_mappings);
end $$;
