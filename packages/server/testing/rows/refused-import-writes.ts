/** Writes to imports of spreadsheets that the constraints reject. */
import { long } from './refused-values.ts';

const one = (set: string) => `update imports set ${set}`;
const mapping = (set: string) => `update import_mappings set ${set}`;

export const refusedImportWrites: Record<string, string[]> = {
  imports_author_fk: [one('author_id = 99')],
  imports_cohort_fk: [one('cohort_id = 99')],
  imports_workflow_fk: [one('workflow_id = 99')],
  imports_file_name_check: [one(`file_name = ${long(256)}`)],
  imports_encoding_check: [one(`encoding = 'utf-16'`)],
  imports_delimiter_check: [one(`delimiter = ''`)],
  imports_headers_check: [
    one(`headers = '{}', mapping = '[]'`),
    one(`headers = '{a,b}'`),
    one(`headers = array_fill('a'::text, array[101]), mapping = to_jsonb(array_fill(1, array[101]))`),
  ],
  imports_status_check: [one(`status = 'failed'`)],
  imports_ended_check: [one('ended_at = now()'), one(`status = 'finished'`)],
  imports_counts_check: [
    one('ready = 2'),
    one('ready = -1, done = 1'),
    one('unchanged = -1, done = 1'),
    one('faulty = -1, done = 1'),
    one('done = -1, ready = 1'),
    one('lines = 200001'),
  ],
  import_lines_import_fk: [`insert into import_lines (import_id, line, cells) values (99, 2, '[]')`],
  import_lines_result_check: [`update import_lines set result = 'open'`],
  import_faults_import_fk: [`insert into import_faults values (99, 2000, 2, 1, 'x')`],
  import_faults_detail_check: [`insert into import_faults values (1, 2001, 2, 1, ${long(2001)})`],
  import_keys_import_fk: [`insert into import_keys values (99, 'x', 'y', 2)`],
  import_mappings_cohort_fk: [mapping('cohort_id = 99')],
  import_mappings_changed_by_fk: [mapping('changed_by = 99')],
  import_mappings_name_unique: [
    `insert into import_mappings (cohort_id, name, columns, changed_by) values (1, 'One', '{}', 1)`,
  ],
  import_mappings_name_check: [mapping(`name = ''`), mapping(`name = ${long(256)}`)],
  import_mappings_columns_check: [
    mapping(`columns = (select jsonb_object_agg(n, sha256(n::text::bytea)) from generate_series(1, 3000) n)`),
  ],
};
