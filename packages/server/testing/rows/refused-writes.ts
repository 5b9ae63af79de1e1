/** For every database constraint, writes to the rows of model-rows.ts that it rejects. */
import { refusedBulkWrites } from './refused-bulk-writes.ts';
import { refusedImportWrites } from './refused-import-writes.ts';
import { refusedSystemCheckWrites } from './refused-system-check-writes.ts';
import { refusedUserWrites } from './refused-user-writes.ts';
import { after, before, long } from './refused-values.ts';

const badLabels = (table: string, ...more: string[]) => [
  `update ${table} set label = '' where id = 1`,
  `update ${table} set label = ${long(256)} where id = 1`,
  ...['.', '..', ...more].map((label) => `update ${table} set label = '${label}' where id = 1`),
];

const version = (columns: string, values: string) =>
  `insert into callback_versions (callback_id, version, workflow_revision, label, function${columns})
   values (1, 2, 1, 'check', 'http'${values})`;

const revision = (author: number, hash: string, workflow = 1, number = 2) =>
  `insert into workflow_revisions (workflow_id, revision, definition, definition_hash, author_id)
   values (${workflow}, ${number}, '', ${hash}, ${author})`;

const transition = (columns: string, values: string) =>
  `insert into transitions (workflow_id, source_state_id, destination_state_id${columns}) values (1, ${values})`;

const snooze = (values: string) =>
  `update follow_ups set (snoozed_at, snoozed_until, snoozed_by, snooze_note) = row (now(), now(), ${values})`;
const note = (values: string) => `insert into notes (experiment_id, cohort_id, user_id, text) values (${values})`;
const history = (actor: string, names = `'test', 'cohort'`) =>
  `insert into history (actor_kind, actor_id, operation, object_kind, object_id) values (${actor}, ${names}, 1)`;

const personalKey = (values: string) => `insert into personal_keys (person_id, person, key) values (1, ${values})`;
const signature = `sha256('') || sha256('')`;
const checkpoint = (values: string) =>
  `insert into checkpoints (at, up_to_xid, up_to_id, heads, key_id, number, hash, signature)
   values (now(), '1', 1, '[]', '', ${values})`;
const erasure = (values: string) =>
  `insert into erasures (history_id, sequence, erased_at, id, subject_id, erased_by, destroyed, hash)
   values (1, 1, now(), ${values})`;
const event = (values: string) => `insert into events (kind, object_kind, object_id, data) values (${values})`;

const key = (set: string) => `update idempotency_keys set ${set}`;
const execution = (set: string) => `update callback_executions set ${set} where id = 1`;
const action = (set: string) => `update actions set ${set} where id = 2`;
const attempt = (set: string) => `update execution_attempts set ${set}`;

const study: Record<string, string[]> = {
  external_systems_system_name_unique: [`update external_systems set system_name = 'PACS' where id = 1`],
  external_systems_system_name_check: [`update external_systems set system_name = ${long(101)} where id = 1`],
  external_systems_url_check: [`update external_systems set url = ${long(1025)}`],
  scantypes_protocol_unique: [`update scantypes set protocol = 'T2' where id = 1`],
  scantypes_protocol_check: [`update scantypes set protocol = '' where id = 1`],
  scantypes_modality_check: [`update scantypes set modality = ${long(256)}`],
  cohorts_label_unique: [`update cohorts set label = 'B' where id = 1`],
  cohorts_label_check: badLabels('cohorts', 'by-label'),
  cohorts_description_check: [`update cohorts set description = ${long(10_001)}`],
  cohort_urls_cohort_fk: [`update cohort_urls set cohort_id = 99`],
  cohort_urls_external_system_fk: [`update cohort_urls set external_system_id = 99`],
  cohort_urls_url_check: [`update cohort_urls set url = ''`, `update cohort_urls set url = ${long(1025)}`],
  subjects_label_unique: [`update subjects set label = 's2' where id = 1`],
  subjects_erased_check: ['update subjects set erased_at = now()'],
  subjects_cohort_fk: [`update subjects set cohort_id = 99 where id = 2`],
  subjects_label_check: badLabels('subjects'),
  external_subject_links_pair_unique: [`update external_subject_links set external_system_id = 2 where id = 1`],
  external_subject_links_subject_fk: [
    `update external_subject_links set subject_id = 99`,
    `update external_subject_links set cohort_id = 2`,
  ],
  external_subject_links_external_system_fk: [`update external_subject_links set external_system_id = 99 where id = 1`],
  external_subject_links_external_id_check: [`update external_subject_links set external_id = ${long(1025)}`],
};

const workflows: Record<string, string[]> = {
  workflows_label_unique: [`update workflows set label = 'heart' where id = 1`],
  workflows_label_check: badLabels('workflows', 'by-label'),
  workflows_revision_check: [`update workflows set revision = 0`],
  workflows_initial_state_fk: [`update workflows set initial_state_id = 3 where id = 1`],
  workflow_revisions_workflow_fk: [revision(1, `repeat('0', 64)`, 99)],
  workflow_revisions_author_fk: [revision(99, `repeat('0', 64)`)],
  workflow_revisions_revision_check: [revision(1, `repeat('0', 64)`, 1, 0)],
  workflow_revisions_definition_hash_check: [revision(1, `'short'`)],
  states_label_unique: [`update states set label = 'checked' where id = 1`],
  states_workflow_fk: [`insert into states (workflow_id, label, position) values (99, 'new', 0)`],
  states_label_check: badLabels('states'),
  states_freetext_check: [`update states set freetext = ${long(10_001)}`],
  states_title_check: [`update states set title = ''`, `update states set title = ${long(101)}`],
  states_colour_check: [`update states set colour = 'teal'`],
  states_outcome_check: [`update states set outcome = 'fine'`],
  states_decision_check: [`update states set decision = '[]'`],
  states_position_check: [`update states set position = -1`],
  transitions_identity_unique: [transition('', '1, 2'), transition(', kind', `1, 1, 'entry'`)],
  transitions_source_fk: [transition('', '3, 2')],
  transitions_destination_fk: [transition('', '2, 3')],
  transitions_kind_check: [transition(', kind', `2, 1, 'other'`)],
  transitions_entry_check: [transition(', kind', `2, 1, 'entry'`)],
  transitions_by_check: [transition(', by', `2, 1, 'nobody'`)],
  transitions_ordinal_check: [
    transition(', ordinal', '2, 1, 0'),
    transition(', kind, ordinal', `2, 1, 'correction', 2`),
  ],
  transitions_position_check: [transition(', position', '2, 1, -1')],
  transitions_title_check: [transition(', title', `2, 1, ''`)],
  transitions_condition_check: [transition(', condition', `2, 1, ${long(1001)}`)],
  callbacks_label_unique: [`update callbacks set label = 'mail' where id = 1`],
  callbacks_state_fk: [`update callbacks set state_id = 99`],
  callbacks_label_check: badLabels('callbacks'),
  callbacks_current_version_check: [`update callbacks set current_version = 0`],
  callbacks_current_version_fk: [`update callbacks set current_version = 2 where id = 1`],
  callback_versions_callback_fk: [version('', '').replace('(1, 2,', '(99, 2,')],
  callback_versions_version_check: [
    version('', '').replace('(1, 2,', '(1, 0,'),
    version('', '').replace('(1, 2, 1,', '(1, 2, 0,'),
  ],
  callback_versions_label_check: [version('', '').replace(`'check'`, `''`)],
  callback_versions_function_check: [version('', '').replace(`'http'`, `''`)],
  callback_versions_arguments_check: [version(', callback_arguments', `, '[]'`)],
  callback_versions_condition_check: [version(', condition', `, ${long(1001)}`)],
  callback_versions_description_check: [version(', description', `, ${long(10_001)}`)],
  callback_versions_initial_delay_check: [version(', initial_delay', ', -1'), version(', initial_delay', ', 31536001')],
  callback_versions_run_timeout_check: [version(', run_timeout', ', -1'), version(', run_timeout', ', 5256001')],
  callback_versions_wait_timeout_check: [version(', wait_timeout', ', -1'), version(', wait_timeout', ', 5256001')],
  callback_versions_retry_for_check: [version(', retry_for', ', -1'), version(', retry_for', ', 10081')],
  callback_versions_retry_first_check: [version(', retry_first', ', 0'), version(', retry_first', ', 301')],
  callback_versions_variable_map_check: [version(', variable_map', `, '"usable"'`)],
  callback_versions_position_check: [version(', position', ', -1')],
  callback_versions_queue_check: [version(', queue', `, ''`)],
};

const experiments: Record<string, string[]> = {
  experiments_label_unique: [`update experiments set label = 'e2' where id = 1`],
  experiments_subject_fk: [
    `update experiments set subject_id = 99 where id = 1`,
    `update experiments set cohort_id = 2 where id = 1`,
  ],
  experiments_state_fk: [`update experiments set state_id = 3`, `update experiments set workflow_id = 2`],
  experiments_label_check: badLabels('experiments'),
  experiments_action_sequence_check: [`update experiments set action_sequence = -1`],
  experiment_variables_experiment_fk: [`update experiment_variables set experiment_id = 99`],
  experiment_variables_name_check: [`update experiment_variables set name = ''`],
  external_experiment_links_pair_unique: [`update external_experiment_links set external_system_id = 2 where id = 1`],
  external_experiment_links_experiment_fk: [
    `update external_experiment_links set experiment_id = 99`,
    `update external_experiment_links set cohort_id = 2`,
  ],
  external_experiment_links_external_system_fk: [
    `update external_experiment_links set external_system_id = 99 where id = 1`,
  ],
  external_experiment_links_external_id_check: [`update external_experiment_links set external_id = ''`],
  scans_experiment_fk: [
    `insert into scans (experiment_id, cohort_id, scantype_id) values (99, 1, 1)`,
    `insert into scans (experiment_id, cohort_id, scantype_id) values (1, 2, 1)`,
  ],
  scans_scantype_fk: [`insert into scans (experiment_id, cohort_id, scantype_id) values (1, 1, 99)`],
  notes_experiment_fk: [note(`99, 1, 1, 'x'`), note(`1, 2, 1, 'x'`)],
  notes_user_fk: [note(`1, 1, 99, 'x'`)],
  follow_ups_experiment_fk: [`update follow_ups set cohort_id = 2`],
  follow_ups_assignee_fk: [`update follow_ups set assignee_id = 99`],
  follow_ups_snoozed_by_fk: [snooze(`99, 'x'`)],
  follow_ups_snooze_check: [`update follow_ups set snoozed_by = 1`],
  follow_ups_snooze_note_check: [snooze(`1, ${long(1001)}`)],
  attention_visits_user_fk: [`insert into attention_visits (user_id, last_at) values (99, now())`],
  verifications_user_fk: [`update verifications set requested_by = 99`],
  verifications_fault_check: [`update verifications set fault = 'x'`],
  verifications_unfinished_unique: [`insert into verifications (requested_by) values (1)`],
  notes_text_check: [note(`1, 1, 1, ''`), note(`1, 1, 1, ${long(10_001)}`)],
};

const runs: Record<string, string[]> = {
  actions_sequence_unique: [action('sequence = 1')],
  actions_experiment_fk: [action('experiment_id = 99')],
  actions_retry_of_fk: [action('retry_of = 0')],
  actions_sequence_check: [action('sequence = 0')],
  actions_times_check: [action(`end_time = ${before}`)],
  actions_retry_check: [action('retry_of = id')],
  actions_freetext_check: [action(`freetext = ${long(10_001)}`)],
  actions_actor_kind_check: [action(`actor_kind = 'ghost', actor_id = null`)],
  actions_actor_id_check: [action('actor_id = null'), action(`actor_kind = 'engine'`)],
  callback_executions_callback_unique: [execution('callback_id = 2')],
  callback_executions_action_fk: [execution('action_id = 99')],
  callback_executions_status_check: [execution(`status = 'paused'`)],
  callback_executions_result_check: [execution(`status = 'finished', finished = ${after}, result = 'maybe'`)],
  callback_executions_skipped_result_check: [execution(`status = 'skipped', finished = ${after}, result = 'failed'`)],
  callback_executions_finished_check: [execution(`status = 'finished'`), execution(`finished = ${after}`)],
  callback_executions_not_started_check: [execution(`run_start = ${after}`), execution(`wait_start = ${after}`)],
  callback_executions_running_check: [
    execution(`status = 'running'`),
    execution(`status = 'running', run_start = ${after}, wait_start = ${after}`),
  ],
  callback_executions_waiting_check: [execution(`status = 'waiting'`)],
  callback_executions_times_check: [
    execution(`status = 'running', run_start = ${before}`),
    execution(`status = 'waiting', wait_start = ${before}`),
    execution(`status = 'skipped', finished = ${before}`),
    execution(`status = 'finished', run_start = ${after}, finished = clock_timestamp()`),
  ],
  callback_executions_cause_check: [`update callback_executions set cause = repeat('x', 501)`],
  callback_executions_deadline_check: [execution(`deadline = ${after}`)],
  callback_executions_next_attempt_check: [
    execution(`status = 'skipped', finished = ${after}, next_attempt_at = ${after}`),
  ],
  callback_executions_attempt_check: [execution('attempt = -1')],
  callback_executions_lost_workers_check: [execution('lost_workers = -1'), execution('lost_workers = 1')],
  contact_holder_check: [`update contact set holder = 'nobody'`],
  contact_gaps_holder_fk: [`insert into contact_gaps (holder, started_at, ended_at) values ('nobody', now(), now())`],
  contact_gaps_times_check: [
    `insert into contact_gaps (holder, started_at, ended_at) values ('worker', now(), now() - interval '1 second')`,
  ],
  processes_kind_check: [
    `insert into processes (kind, host, pid, milepost_version) values ('client', 'node-1', 1, '1.0.0')`,
  ],
  processes_runs_check: [
    `insert into processes (kind, host, pid, milepost_version, runs) values ('worker', 'node-1', 1, '1.0.0', -1)`,
  ],
  retry_pace_started_check: [`insert into retry_pace (host, started) values ('host', -1)`],
  callback_executions_result_values_check: [execution(`result_values = '[]'`)],
  execution_attempts_execution_fk: [attempt('execution_id = 99')],
  execution_attempts_attempt_check: [attempt('attempt = 0')],
  execution_attempts_secret_hash_check: [attempt(`secret_hash = ''`)],
  execution_attempts_times_check: [attempt(`heartbeat_at = ${before}`), attempt(`ended_at = ${before}`)],
  incidents_open_unique: [`insert into incidents (experiment_id, kind) values (1, 'failed')`],
  incidents_experiment_fk: [`update incidents set experiment_id = 99`],
  incidents_action_fk: [`update incidents set action_id = 99`],
  incidents_execution_fk: [`update incidents set execution_id = 99`],
  incidents_kind_check: [`update incidents set kind = 'boredom'`],
  incidents_subject_check: [`update incidents set experiment_id = null`],
  incidents_queue_check: [`insert into incidents (queue, kind) values ('gpu', 'failed')`],
  incidents_open_queue_unique: [
    `insert into incidents (queue, kind) values ('gpu', 'unclaimed'), ('gpu', 'unclaimed')`,
  ],
  incident_cohorts_incident_fk: [
    `insert into incident_cohorts (incident_id, cohort_id, experiments, execution_id) values (99, 1, 1, 1)`,
  ],
  incident_cohorts_cohort_fk: [
    `insert into incident_cohorts (incident_id, cohort_id, experiments, execution_id) values (1, 99, 1, 1)`,
  ],
  incident_cohorts_execution_fk: [
    `insert into incident_cohorts (incident_id, cohort_id, experiments, execution_id) values (1, 1, 1, 99)`,
  ],
  incident_cohorts_experiments_check: [
    `insert into incident_cohorts (incident_id, cohort_id, experiments, execution_id) values (1, 1, 0, 1)`,
  ],
  queue_progress_oldest_check: [
    `insert into queue_progress (queue, workflow_id, bulk, oldest_execution_id) values ('gpu', 1, true, 1)`,
  ],
  queue_progress_started_check: [
    `insert into queue_progress (queue, workflow_id, bulk, started_before) values ('gpu', 1, true, 1)`,
  ],
  incidents_times_check: [`update incidents set closed_at = ${before}`],
};

const record: Record<string, string[]> = {
  history_actor_kind_check: [history(`'ghost', null`)],
  history_actor_id_check: [history(`'user', null`), history(`'engine', 1`)],
  history_names_check: [history(`'engine', null`, `'', 'cohort'`), history(`'engine', null`, `'test', ''`)],
  personal_keys_person_check: [personalKey(`'cohort', sha256('')`)],
  personal_keys_key_check: [personalKey(`'user', ''`)],
  checkpoints_number_check: [checkpoint(`0, sha256(''), ${signature}`)],
  checkpoints_hash_check: [checkpoint(`1, '', ${signature}`)],
  checkpoints_signature_check: [checkpoint(`1, sha256(''), ''`)],
  erasure_requests_subject_fk: [`insert into erasure_requests (subject_id, requested_by) values (99, 1)`],
  erasure_requests_user_fk: [`insert into erasure_requests (subject_id, requested_by) values (1, 99)`],
  events_names_check: [event(`'', 'cohort', 1, '{}'`), event(`'test', '', 1, '{}'`)],
  events_data_check: [event(`'test', 'cohort', 1, '[]'`)],
  idempotency_keys_actor_kind_check: [key(`actor_kind = 'engine'`)],
  idempotency_keys_key_check: [key(`key = ''`), key(`key = ${long(256)}`)],
  idempotency_keys_request_hash_check: [key(`request_hash = ''`)],
  idempotency_keys_status_check: [key('status = 100')],
  idempotency_keys_body_check: [key(`body = ${long(65_537)}`)],
  forgotten_events_only_row_check: ['update forgotten_events set only_row = false'],
};

/** Writes to tables that the application cannot write to. The constraints reject them for the owner too. */
export const refusedOwnerWrites: Record<string, string[]> = {
  callback_systems_callback_fk: [`insert into callback_systems values (99, 'XNAT', false)`],
  insight_progress_one_check: [`insert into insight_progress (one, xid, event_id) values (false, '1', 0)`],
  cohort_counts_kind_check: [`insert into cohort_counts (cohort_id, kind, visit, amount) values (1, 'scans', '', 1)`],
  erasures_subject_unique: [`${erasure(`1, 1, 1, '{}', sha256('')`)}; ${erasure(`2, 1, 1, '{}', sha256('')`)}`],
  erasures_request_fk: [erasure(`99, 1, 1, '{}', sha256('')`)],
  erasures_subject_fk: [erasure(`1, 99, 1, '{}', sha256('')`)],
  erasures_user_fk: [erasure(`1, 1, 99, '{}', sha256('')`)],
  erasures_destroyed_check: [erasure(`1, 1, 1, '[]', sha256('')`)],
  experiment_search_experiment_fk: [`update experiment_search set cohort_id = 2`],
  erasures_hash_check: [erasure(`1, 1, 1, '{}', ''`)],
};

export const refusedWrites: Record<string, string[]> = {
  ...refusedUserWrites,
  ...study,
  ...workflows,
  ...experiments,
  ...runs,
  ...record,
  ...refusedBulkWrites,
  ...refusedImportWrites,
  ...refusedSystemCheckWrites,
};
