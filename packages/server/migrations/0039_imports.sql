-- Imports of spreadsheets. The lines of a file are stored when it is uploaded. Workers check them and then import them, in sets. Each set
-- is one transaction with the lock of its import, so that no line is imported twice.
create table imports (
  id bigint generated always as identity constraint imports_pk primary key,
  author_id bigint not null,
  token_id bigint, -- the API token that uploaded or applied it: the import stops if it expires or is revoked
  request_id text,
  cohort_id bigint not null,
  workflow_id bigint, -- of new experiments
  file_name text not null,
  encoding text not null,
  delimiter text not null,
  headers text[] not null,
  mapping jsonb not null, -- what each column contains, in their order
  mapping_name text, -- of the saved mapping that it used
  status text not null default 'uploading',
  stopped_because text,
  cleared boolean not null default true, -- whether the faults of an earlier check are removed
  position integer not null default 0, -- the last line that was checked or imported
  lines integer not null default 0,
  ready integer not null default 0,
  unchanged integer not null default 0,
  faulty integer not null default 0,
  done integer not null default 0,
  new_subjects integer not null default 0,
  new_experiments integer not null default 0,
  column_faults integer[] not null, -- the number of faults in each column, after that of whole lines
  next_at timestamptz not null default clock_timestamp(),
  created_at timestamptz(3) not null default clock_timestamp(),
  checked_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  constraint imports_author_fk foreign key (author_id) references users (id),
  constraint imports_cohort_fk foreign key (cohort_id) references cohorts (id),
  constraint imports_workflow_fk foreign key (workflow_id) references workflows (id),
  constraint imports_file_name_check check (char_length(file_name) <= 255),
  constraint imports_encoding_check check (encoding in ('utf-8', 'windows-1252')),
  constraint imports_delimiter_check check (char_length(delimiter) = 1),
  constraint imports_headers_check
    check (cardinality(headers) between 1 and 100 and jsonb_array_length(mapping) = cardinality(headers)),
  constraint imports_status_check
    check (status in ('uploading', 'checking', 'checked', 'running', 'finished', 'stopped')),
  constraint imports_ended_check check ((status in ('finished', 'stopped')) = (ended_at is not null)),
  constraint imports_counts_check check (ready >= 0 and unchanged >= 0 and faulty >= 0 and done >= 0
    and ready + unchanged + faulty + done <= lines and lines <= 200000)
);

create index imports_due_index on imports (next_at) where status in ('checking', 'running');
create index imports_author_index on imports (author_id, id);
-- Those that are removed after some time.
create index imports_age_index on imports (coalesce(ended_at, created_at)) where status not in ('checking', 'running');
create index imports_cohort_index on imports (cohort_id);

create table import_lines (
  import_id bigint not null,
  line integer not null, -- in the spreadsheet. The header is line 1
  cells jsonb not null,
  result text, -- null until it is checked
  subject text, -- the labels that the check found
  experiment text,
  state text,
  new_subject boolean not null default false,
  new_experiment boolean not null default false,
  constraint import_lines_pk primary key (import_id, line),
  constraint import_lines_import_fk foreign key (import_id) references imports (id),
  constraint import_lines_result_check check (result in ('ready', 'unchanged', 'faulty', 'done'))
);

create index import_lines_result_index on import_lines (import_id, result, line);

-- A fault in a line. Its number orders the faults by line and column.
create table import_faults (
  import_id bigint not null,
  number bigint not null,
  line integer not null,
  place integer not null, -- the column, counted from 1. 0: the whole line
  detail text not null,
  constraint import_faults_pk primary key (import_id, number),
  constraint import_faults_import_fk foreign key (import_id) references imports (id),
  constraint import_faults_detail_check check (char_length(detail) <= 2000)
);

create index import_faults_place_index on import_faults (import_id, place, number);

-- What must be the same in all lines of a file, or must not be repeated, as hashes. Only while a file is checked.
create table import_keys (
  import_id bigint not null,
  key bytea not null,
  value bytea not null,
  line integer not null, -- the first line that has it
  constraint import_keys_pk primary key (import_id, key),
  constraint import_keys_import_fk foreign key (import_id) references imports (id)
);

-- What the columns of a spreadsheet contain, by their headers, under a name.
create table import_mappings (
  id bigint generated always as identity constraint import_mappings_pk primary key,
  cohort_id bigint not null,
  name text collate "C" not null,
  columns jsonb not null,
  changed_by bigint not null,
  changed_at timestamptz(3) not null default clock_timestamp(),
  constraint import_mappings_cohort_fk foreign key (cohort_id) references cohorts (id),
  constraint import_mappings_changed_by_fk foreign key (changed_by) references users (id),
  constraint import_mappings_name_unique unique (cohort_id, name),
  constraint import_mappings_name_check check (char_length(name) between 1 and 255),
  constraint import_mappings_columns_check check (pg_column_size(columns) <= 100000)
);

-- Whether one of the texts has one of the names, which are given as words. The separator is no word, so that two short texts do not make a
-- name together.
create function mentions(texts text[], names text[]) returns boolean language sql immutable as $$
  select exists (
    select from (select words_of(array_to_string(texts, E' \x01 ')) as words offset 0) as given, unnest(names) as name
    where strpos(given.words, name) > 0)
$$;

create function texts_of(cells jsonb) returns text[] language sql immutable as $$
  select array(select jsonb_array_elements_text(cells))
$$;

-- Removes the lines that mention one of these names with their faults and keys, and the mappings that do. Stops the imports of these lines
-- that have not ended. Their rows are locked, so that no worker imports a line at the same time. The rest of a file that is being uploaded
-- is not known, so its import stops, too. An upload adds no lines to an import that has stopped.
create function forget_imports(these erased_ids) returns jsonb language plpgsql as $$
declare
  because constant text := 'A subject that it concerns was erased.';
  names text[];
  gone_lines bigint;
  gone_imports bigint;
  gone_mappings bigint;
begin
  select array_remove(array(select distinct words_of(name) from names_to_erase(these) as name), '  ') into names;
  perform from imports where ended_at is null order by id for update;
  update imports set status = 'stopped', stopped_because = 'A subject was erased during the upload. Upload the file again.',
    ended_at = clock_timestamp()
  where status = 'uploading';
  with mentioned as materialized (
    select import_lines.import_id, import_lines.line from import_lines
    where mentions(texts_of(import_lines.cells) || array[import_lines.subject, import_lines.experiment], names)
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
  update import_faults set detail = because where mentions(array[import_faults.detail], names);
  -- A file without a header has the values of its first line as headers.
  update imports set file_name = '', mapping_name = null,
    headers = array(select 'column ' || n from generate_series(1, cardinality(imports.headers)) as n),
    mapping = (select jsonb_agg(jsonb_build_object('target', 'ignored')) from unnest(imports.headers)),
    status = case when ended_at is null then 'stopped' else status end,
    stopped_because = case when ended_at is null then because else stopped_because end,
    ended_at = coalesce(ended_at, clock_timestamp())
  where mentions(array[imports.file_name, imports.mapping_name, imports.mapping::text] || imports.headers, names);
  get diagnostics gone_imports = row_count;
  delete from import_mappings where mentions(array[import_mappings.name, import_mappings.columns::text], names);
  get diagnostics gone_mappings = row_count;
  return jsonb_build_object('import_lines', gone_lines, 'imports', gone_imports, 'import_mappings', gone_mappings);
end $$;

-- As before, and the lines of spreadsheets.
create or replace function forget_study(these erased_ids) returns jsonb language plpgsql as $$
declare
  counts jsonb := jsonb_build_object('views', forget_views(these), 'bulk_operations', forget_bulk_operations(these)) || forget_imports(these);
  gone bigint;
begin
  delete from external_subject_links where subject_id = these.subject_id;
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('external_subject_links', gone);
  delete from external_experiment_links where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('external_experiment_links', gone);
  delete from experiment_variables where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('experiment_variables', gone);
  delete from scans where id = any(these.scans);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('scans', gone);
  delete from follow_ups where experiment_id = any(these.experiments);
  get diagnostics gone = row_count;
  counts := counts || jsonb_build_object('follow_ups', gone);
  delete from notes where id = any(these.notes);
  get diagnostics gone = row_count;
  return counts || jsonb_build_object('notes', gone);
end $$;

revoke execute on function mentions(text[], text[]), texts_of(jsonb), forget_imports(erased_ids) from public;
