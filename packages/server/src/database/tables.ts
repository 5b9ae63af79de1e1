// Printed from the migrated database by: node --conditions=source tools/print-tables.ts
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Read as a value, written as JSON text, because the driver would convert arrays and strings differently. */
export type Json = ColumnType<JsonValue, string, string>;
export type JsonWithDefault = ColumnType<JsonValue, string | undefined, string>;
export type NullableJson = ColumnType<JsonValue | null, string | null | undefined, string | null>;

export interface ActionsTable {
  id: GeneratedAlways<number>;
  experiment_id: number;
  sequence: number;
  transition_id: number;
  start_time: Generated<string>;
  end_time: string | null;
  success: Generated<boolean>;
  return_value: Generated<string>;
  freetext: Generated<string>;
  retry_of: number | null;
  carried: Generated<number[]>;
  actor_kind: 'user' | 'execution' | 'engine' | 'operator';
  actor_id: number | null;
  inputs: NullableJson;
  version: Generated<number>;
  bulk: Generated<boolean>;
}

export interface ApiTokensTable {
  id: GeneratedAlways<number>;
  user_id: number;
  token_hash: Buffer;
  name: string;
  permissions: string[];
  created_at: Generated<string>;
  expires_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface AttentionVisitsTable {
  user_id: number;
  last_at: string;
  new_since: string | null;
}

export interface BegunSignInsTable {
  secret_hash: Buffer;
  return_to: string;
  expires_at: Generated<string>;
}

export interface BulkItemsTable {
  operation_id: number;
  number: number;
  experiment_id: number;
  cohort_id: number | null;
  checked_version: number | null;
  result: 'ready' | 'done' | 'refused';
  refusal: number | null;
}

export interface BulkOperationsTable {
  id: GeneratedAlways<number>;
  kind: 'move' | 'retry' | 'evaluate' | 'place' | 'set_variables' | 'assign' | 'note';
  change: Json;
  author_id: number;
  token_id: number | null;
  request_id: string | null;
  query: string | null;
  experiment_ids: number[] | null;
  refused_of: number | null;
  checked_to: Generated<number>;
  starts_itself: boolean;
  status: Generated<'checking' | 'checked' | 'running' | 'paused' | 'finished' | 'stopped'>;
  stopped_because: string | null;
  reason: Generated<string>;
  rate: number;
  per_minute: number | null;
  cohort_ids: Generated<number[]>;
  experiments: Generated<number>;
  ready: Generated<number>;
  done: Generated<number>;
  refused: Generated<number>;
  next_at: Generated<string>;
  created_at: Generated<string>;
  checked_at: string | null;
  started_at: string | null;
  ended_at: string | null;
  waiting_for: string | null;
  tries: Generated<number>;
}

export interface BulkRefusalsTable {
  operation_id: number;
  number: number;
  code: string;
  detail: string;
  experiments: number;
}

export interface CallbackExecutionsTable {
  id: GeneratedAlways<number>;
  action_id: number;
  callback_id: number;
  callback_version: number;
  status: Generated<'created' | 'queued' | 'running' | 'waiting' | 'finished' | 'skipped'>;
  result: Generated<'none' | 'success' | 'failed' | 'timeout'>;
  created: Generated<string>;
  run_start: string | null;
  wait_start: string | null;
  finished: string | null;
  deadline: string | null;
  result_values: JsonWithDefault;
  run_log: Generated<string>;
  result_log: Generated<string>;
  attempt: Generated<number>;
  failures: Generated<number>;
  next_attempt_at: string | null;
  last_error: string | null;
  version: Generated<number>;
  logs_removed_at: string | null;
  failing_since: string | null;
  lost_workers: Generated<number>;
  retry_host: string | null;
  retry_slot: Generated<boolean>;
  cause: string | null;
  cause_key: string | null;
}

export interface CallbackSystemsTable {
  callback_id: number;
  system_name: string;
  in_capitals: boolean;
}

export interface CallbackVersionsTable {
  callback_id: number;
  version: number;
  workflow_revision: number;
  label: string;
  function: string;
  queue: Generated<string>;
  callback_arguments: JsonWithDefault;
  condition: Generated<string>;
  description: Generated<string>;
  initial_delay: Generated<number>;
  run_timeout: Generated<number>;
  wait_timeout: Generated<number>;
  variable_map: JsonWithDefault;
  position: Generated<number>;
  retry_for: Generated<number>;
  retry_first: Generated<number>;
}

export interface CallbacksTable {
  id: GeneratedAlways<number>;
  state_id: number;
  label: string;
  current_version: Generated<number>;
  retired: Generated<boolean>;
}

export interface CheckpointsTable {
  number: number;
  at: string;
  up_to_xid: string;
  up_to_id: number;
  heads: string;
  key_id: string;
  hash: Buffer;
  signature: Buffer;
  cluster: Generated<string>;
  after_id: Generated<number>;
}

export interface CohortCountDeltasTable {
  cohort_id: number;
  kind: string;
  visit: string;
  amount: number;
}

export interface CohortCountsTable {
  cohort_id: number;
  kind: 'subjects' | 'withdrawn' | 'visit';
  visit: string;
  amount: number;
}

export interface CohortRolesTable {
  user_id: number;
  role_id: number;
  cohort_id: number;
}

export interface CohortUrlsTable {
  cohort_id: number;
  external_system_id: number;
  url: string;
}

export interface CohortsTable {
  id: GeneratedAlways<number>;
  label: string;
  description: Generated<string>;
  version: Generated<number>;
}

export interface ContactTable {
  holder: 'worker' | 'server';
  at: Generated<string>;
}

export interface ContactGapsTable {
  holder: string;
  started_at: string;
  ended_at: string;
}

export interface ErasureRequestsTable {
  id: GeneratedAlways<number>;
  subject_id: number;
  requested_by: number;
  requested_at: Generated<string>;
}

export interface ErasuresTable {
  id: number;
  subject_id: number;
  erased_by: number;
  erased_at: string;
  destroyed: Json;
  history_id: number;
  sequence: number;
  hash: Buffer;
}

export interface EventsTable {
  id: GeneratedAlways<number>;
  xid: Generated<string>;
  at: Generated<string>;
  kind: string;
  object_kind: string;
  object_id: number;
  cohort_id: number | null;
  data: JsonWithDefault;
}

export interface ExecutionAttemptsTable {
  execution_id: number;
  attempt: number;
  secret_hash: Buffer;
  worker: Generated<string>;
  started_at: Generated<string>;
  heartbeat_at: string | null;
  ended_at: string | null;
  error: string | null;
  log: Generated<string>;
}

export interface ExperimentSearchTable {
  experiment_id: number;
  cohort_id: number;
  text: string;
}

export interface ExperimentVariablesTable {
  experiment_id: number;
  name: string;
  value: Json;
}

export interface ExperimentsTable {
  id: GeneratedAlways<number>;
  subject_id: number;
  cohort_id: number;
  workflow_id: number;
  state_id: number;
  label: string;
  scandate: string | null;
  action_sequence: Generated<number>;
  version: Generated<number>;
  resting_sequence: number | null;
  resting_since: string | null;
}

export interface ExternalExperimentLinksTable {
  id: GeneratedAlways<number>;
  experiment_id: number;
  cohort_id: number;
  external_system_id: number;
  external_id: string;
  version: Generated<number>;
}

export interface ExternalSubjectLinksTable {
  id: GeneratedAlways<number>;
  subject_id: number;
  cohort_id: number;
  external_system_id: number;
  external_id: string;
  version: Generated<number>;
}

export interface ExternalSystemChecksTable {
  external_system_id: number;
  next_at: Generated<string>;
  checked_at: string | null;
  result: 'reachable' | 'unreachable' | 'not_allowed' | null;
  latency_ms: number | null;
  error: string | null;
  failing_since: string | null;
  last_error: string | null;
  last_error_at: string | null;
}

export interface ExternalSystemsTable {
  id: GeneratedAlways<number>;
  system_name: string;
  url: Generated<string>;
  version: Generated<number>;
}

export interface FollowUpsTable {
  experiment_id: number;
  cohort_id: number;
  assignee_id: number | null;
  snoozed_at: string | null;
  snoozed_until: string | null;
  snoozed_by: number | null;
  snooze_note: string | null;
}

export interface ForgottenEventsTable {
  only_row: Generated<boolean>;
  xid: string;
  id: number;
}

export interface HistoryTable {
  id: GeneratedAlways<number>;
  at: Generated<string>;
  actor_kind: 'user' | 'execution' | 'engine' | 'operator';
  actor_id: number | null;
  request_id: string | null;
  operation: string;
  object_kind: string;
  object_id: number;
  before: NullableJson;
  after: NullableJson;
  reason: string | null;
  xid: GeneratedAlways<string>;
  chain: GeneratedAlways<string>;
  chain_id: GeneratedAlways<number>;
  sequence: GeneratedAlways<number>;
  person: GeneratedAlways<string | null>;
  person_id: GeneratedAlways<number | null>;
  values_hash: GeneratedAlways<Buffer | null>;
  hash: GeneratedAlways<Buffer>;
}

export interface HistoryValuesTable {
  history_id: number;
  before: NullableJson;
  after: NullableJson;
  reason: string | null;
}

export interface HistoryWithValuesTable {
  id: number | null;
  at: string | null;
  actor_kind: string | null;
  actor_id: number | null;
  request_id: string | null;
  operation: string | null;
  object_kind: string | null;
  object_id: number | null;
  before: NullableJson;
  after: NullableJson;
  reason: string | null;
  chain: string | null;
  chain_id: number | null;
  sequence: number | null;
}

export interface IdempotencyKeysTable {
  actor_kind: 'user' | 'execution';
  actor_id: number;
  key: string;
  operation: string;
  request_hash: Buffer;
  status: number | null;
  body: string | null;
  location: string | null;
  created_at: Generated<string>;
  request_id: string | null;
  scope: number[] | null;
}

export interface ImportFaultsTable {
  import_id: number;
  number: number;
  line: number;
  place: number;
  detail: string;
}

export interface ImportKeysTable {
  import_id: number;
  key: Buffer;
  value: Buffer;
  line: number;
}

export interface ImportLinesTable {
  import_id: number;
  line: number;
  cells: Json;
  result: 'ready' | 'unchanged' | 'faulty' | 'done' | null;
  subject: string | null;
  experiment: string | null;
  state: string | null;
  new_subject: Generated<boolean>;
  new_experiment: Generated<boolean>;
}

export interface ImportMappingsTable {
  id: GeneratedAlways<number>;
  cohort_id: number;
  name: string;
  columns: Json;
  changed_by: number;
  changed_at: Generated<string>;
}

export interface ImportsTable {
  id: GeneratedAlways<number>;
  author_id: number;
  token_id: number | null;
  request_id: string | null;
  cohort_id: number;
  workflow_id: number | null;
  file_name: string;
  encoding: 'utf-8' | 'windows-1252';
  delimiter: string;
  headers: string[];
  mapping: Json;
  mapping_name: string | null;
  status: Generated<'uploading' | 'checking' | 'checked' | 'running' | 'paused' | 'finished' | 'stopped'>;
  stopped_because: string | null;
  cleared: Generated<boolean>;
  position: Generated<number>;
  lines: Generated<number>;
  ready: Generated<number>;
  unchanged: Generated<number>;
  faulty: Generated<number>;
  done: Generated<number>;
  new_subjects: Generated<number>;
  new_experiments: Generated<number>;
  column_faults: number[];
  next_at: Generated<string>;
  created_at: Generated<string>;
  checked_at: string | null;
  started_at: string | null;
  ended_at: string | null;
  per_minute: number | null;
  waiting_for: string | null;
  tries: Generated<number>;
}

export interface IncidentCohortsTable {
  incident_id: number;
  cohort_id: number;
  experiments: number;
  execution_id: number;
  counted_at: Generated<string>;
}

export interface IncidentsTable {
  id: GeneratedAlways<number>;
  experiment_id: number | null;
  kind: 'brake' | 'unclaimed' | 'failed' | 'timed_out' | 'no_way_on';
  opened_at: Generated<string>;
  closed_at: string | null;
  action_id: number | null;
  execution_id: number | null;
  detail: Generated<string>;
  queue: string | null;
  cause_group: string | null;
}

export interface InsightCausesTable {
  cohort_id: number;
  callback_id: number;
  cause_group: string;
  week: string;
  failures: number;
  retries: number;
}

export interface InsightExperimentsTable {
  experiment_id: number;
  cohort_id: number;
  sequence: number;
  state_id: number;
  entered_at: string;
}

export interface InsightLevelsTable {
  cohort_id: number;
  state_id: number;
  experiments: number;
  entered_s: number;
}

export interface InsightMovesTable {
  cohort_id: number;
  transition_id: number;
  day: string;
  moves: number;
  stayed_ms: number;
  placed: Generated<boolean>;
}

export interface InsightProgressTable {
  one: Generated<boolean>;
  xid: string;
  event_id: number;
  rebuilt_to: number | null;
  counted_at: string | null;
}

export interface InsightRunsTable {
  execution_id: number;
  experiment_id: number;
  cohort_id: number;
  callback_id: number;
  cause_group: string;
  week: string;
  failures: number;
  retries: number;
}

export interface InsightStaysTable {
  cohort_id: number;
  state_id: number;
  week: string;
  bucket: number;
  stays: number;
}

export interface MigrationsTable {
  number: number;
  name: string;
  sha256: string;
  applied_at: Generated<string>;
}

export interface NotesTable {
  id: GeneratedAlways<number>;
  experiment_id: number;
  cohort_id: number;
  user_id: number;
  text: string;
  created_at: Generated<string>;
}

export interface PasswordResetsTable {
  id: GeneratedAlways<number>;
  user_id: number | null;
  asked_at: Generated<string>;
  tries: Generated<number>;
  next_try_at: Generated<string>;
  token_hash: Buffer | null;
  sent_at: string | null;
  expires_at: string | null;
  ended_at: string | null;
}

export interface PersonalKeysTable {
  person: 'subject' | 'user';
  person_id: number;
  key: Buffer;
}

export interface ProcessesTable {
  id: GeneratedAlways<number>;
  kind: 'server' | 'worker';
  host: string;
  pid: number;
  milepost_version: string;
  runs: Generated<number>;
  started_at: Generated<string>;
  seen_at: Generated<string>;
  stopped_at: string | null;
}

export interface QueueProgressTable {
  queue: string;
  workflow_id: number;
  bulk: boolean;
  started: Generated<number>;
  last_started_at: Generated<string>;
  oldest_execution_id: number | null;
  oldest_due: string | null;
  started_before: Generated<number>;
}

export interface QueueStartsTable {
  queue: string;
  workflow_id: number;
  bulk: boolean;
  runs: number;
  at: string;
}

export interface RetryPaceTable {
  host: string;
  second: Generated<string>;
  started: Generated<number>;
  next_slot: Generated<string>;
}

export interface RolesTable {
  id: GeneratedAlways<number>;
  name: string;
  description: Generated<string>;
  permissions: Generated<string[]>;
  update_datetime: Generated<string>;
  version: Generated<number>;
}

export interface ScansTable {
  id: GeneratedAlways<number>;
  experiment_id: number;
  cohort_id: number;
  scantype_id: number;
}

export interface ScantypesTable {
  id: GeneratedAlways<number>;
  modality: Generated<string>;
  protocol: string;
  version: Generated<number>;
}

export interface SessionsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  token_hash: Buffer;
  created_at: Generated<string>;
  last_used_at: Generated<string>;
  expires_at: Generated<string>;
  ended_at: string | null;
  address: string;
  user_agent: string;
}

export interface SignInFailuresTable {
  pair_hash: Buffer;
  count: number;
  since: Generated<string>;
}

export interface StateCountDeltasTable {
  state_id: number;
  cohort_id: number;
  experiments: number;
}

export interface StateCountsTable {
  state_id: number;
  cohort_id: number;
  experiments: number;
  changed_at: string | null;
}

export interface StatesTable {
  id: GeneratedAlways<number>;
  workflow_id: number;
  label: string;
  freetext: Generated<string>;
  position: number;
  retired: Generated<boolean>;
  version: Generated<number>;
  title: string | null;
  colour: string | null;
  outcome: 'good' | 'bad' | 'neutral' | null;
  decision: NullableJson;
}

export interface SubjectsTable {
  id: GeneratedAlways<number>;
  cohort_id: number;
  label: string;
  date_of_birth: string | null;
  version: Generated<number>;
  withdrawn_at: string | null;
  erased_at: string | null;
}

export interface TransitionsTable {
  id: GeneratedAlways<number>;
  workflow_id: number;
  kind: Generated<'defined' | 'entry' | 'correction'>;
  source_state_id: number;
  destination_state_id: number;
  ordinal: Generated<number>;
  position: Generated<number>;
  condition: Generated<string>;
  by: Generated<'person' | 'engine' | 'both'>;
  retired: Generated<boolean>;
  version: Generated<number>;
  title: string | null;
}

export interface UserIdentitiesTable {
  issuer: string;
  subject: string;
  user_id: number;
  created_at: Generated<string>;
}

export interface UserRolesTable {
  user_id: number;
  role_id: number;
}

export interface UsersTable {
  id: GeneratedAlways<number>;
  username: string;
  username_key: string;
  email: string;
  email_key: string;
  name: Generated<string>;
  password_hash: string | null;
  active: Generated<boolean>;
  create_time: Generated<string>;
  version: Generated<number>;
  awaits_password: Generated<boolean>;
  last_sign_in_at: string | null;
}

export interface VerificationsTable {
  id: GeneratedAlways<number>;
  requested_by: number;
  requested_at: Generated<string>;
  seen_at: string | null;
  finished_at: string | null;
  attempts: Generated<number>;
  entries: Generated<number>;
  checkpoints: Generated<number>;
  fault: string | null;
  failure: string | null;
}

export interface ViewsTable {
  id: GeneratedAlways<number>;
  owner_id: number;
  cohort_id: number | null;
  name: string;
  name_key: string;
  query: string;
  sort: Generated<string>;
  columns: Generated<string[]>;
  created_at: Generated<string>;
  changed_at: Generated<string>;
  version: Generated<number>;
}

export interface WorkflowRevisionsTable {
  workflow_id: number;
  revision: number;
  definition: string;
  definition_hash: string;
  author_id: number | null;
  created_at: Generated<string>;
}

export interface WorkflowsTable {
  id: GeneratedAlways<number>;
  label: string;
  revision: Generated<number>;
  initial_state_id: number | null;
  layout: NullableJson;
  version: Generated<number>;
}

export interface Database {
  actions: ActionsTable;
  api_tokens: ApiTokensTable;
  attention_visits: AttentionVisitsTable;
  begun_sign_ins: BegunSignInsTable;
  bulk_items: BulkItemsTable;
  bulk_operations: BulkOperationsTable;
  bulk_refusals: BulkRefusalsTable;
  callback_executions: CallbackExecutionsTable;
  callback_systems: CallbackSystemsTable;
  callback_versions: CallbackVersionsTable;
  callbacks: CallbacksTable;
  checkpoints: CheckpointsTable;
  cohort_count_deltas: CohortCountDeltasTable;
  cohort_counts: CohortCountsTable;
  cohort_roles: CohortRolesTable;
  cohort_urls: CohortUrlsTable;
  cohorts: CohortsTable;
  contact: ContactTable;
  contact_gaps: ContactGapsTable;
  erasure_requests: ErasureRequestsTable;
  erasures: ErasuresTable;
  events: EventsTable;
  execution_attempts: ExecutionAttemptsTable;
  experiment_search: ExperimentSearchTable;
  experiment_variables: ExperimentVariablesTable;
  experiments: ExperimentsTable;
  external_experiment_links: ExternalExperimentLinksTable;
  external_subject_links: ExternalSubjectLinksTable;
  external_system_checks: ExternalSystemChecksTable;
  external_systems: ExternalSystemsTable;
  follow_ups: FollowUpsTable;
  forgotten_events: ForgottenEventsTable;
  history: HistoryTable;
  history_values: HistoryValuesTable;
  history_with_values: HistoryWithValuesTable;
  idempotency_keys: IdempotencyKeysTable;
  import_faults: ImportFaultsTable;
  import_keys: ImportKeysTable;
  import_lines: ImportLinesTable;
  import_mappings: ImportMappingsTable;
  imports: ImportsTable;
  incident_cohorts: IncidentCohortsTable;
  incidents: IncidentsTable;
  insight_causes: InsightCausesTable;
  insight_experiments: InsightExperimentsTable;
  insight_levels: InsightLevelsTable;
  insight_moves: InsightMovesTable;
  insight_progress: InsightProgressTable;
  insight_runs: InsightRunsTable;
  insight_stays: InsightStaysTable;
  migrations: MigrationsTable;
  notes: NotesTable;
  password_resets: PasswordResetsTable;
  personal_keys: PersonalKeysTable;
  processes: ProcessesTable;
  queue_progress: QueueProgressTable;
  queue_starts: QueueStartsTable;
  retry_pace: RetryPaceTable;
  roles: RolesTable;
  scans: ScansTable;
  scantypes: ScantypesTable;
  sessions: SessionsTable;
  sign_in_failures: SignInFailuresTable;
  state_count_deltas: StateCountDeltasTable;
  state_counts: StateCountsTable;
  states: StatesTable;
  subjects: SubjectsTable;
  transitions: TransitionsTable;
  user_identities: UserIdentitiesTable;
  user_roles: UserRolesTable;
  users: UsersTable;
  verifications: VerificationsTable;
  views: ViewsTable;
  workflow_revisions: WorkflowRevisionsTable;
  workflows: WorkflowsTable;
}
