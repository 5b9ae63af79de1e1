-- Workflows: definitions, and what they are made of.
--
-- Sizes: hundreds of workflows, thousands of states, tens of thousands of transitions. A definition is upgraded in place:
-- what is gone from it is retired, not deleted, and revived under the same id when it returns, so that every action and
-- execution that ever referred to it stays readable. The row of a workflow is the lock between moves (shared) and imports
-- (exclusive).

create table workflows (
  id bigint generated always as identity constraint workflows_pk primary key,
  label text collate "C" not null,
  revision integer not null default 1,
  initial_state_id bigint, -- null only until the states of the first import are there
  layout jsonb, -- where the states stand in the picture; computed after the import
  version bigint not null default 1,
  constraint workflows_label_unique unique (label),
  constraint workflows_label_check check (char_length(label) between 1 and 255 and label not in ('.', '..', 'by-label')),
  constraint workflows_revision_check check (revision >= 1)
);

-- Every text that ever was the definition. The application can add, never change.
create table workflow_revisions (
  workflow_id bigint not null,
  revision integer not null,
  definition text not null,
  definition_hash text not null,
  author_id bigint, -- null: not a user, but the command line or the first start
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint workflow_revisions_pk primary key (workflow_id, revision),
  constraint workflow_revisions_workflow_fk foreign key (workflow_id) references workflows (id),
  constraint workflow_revisions_author_fk foreign key (author_id) references users (id),
  constraint workflow_revisions_revision_check check (revision >= 1),
  constraint workflow_revisions_definition_hash_check check (definition_hash ~ '^[0-9a-f]{64}$')
);

create table states (
  id bigint generated always as identity constraint states_pk primary key,
  workflow_id bigint not null,
  label text collate "C" not null,
  freetext text not null default '',
  position integer not null,
  retired boolean not null default false,
  version bigint not null default 1,
  constraint states_label_unique unique (workflow_id, label),
  -- For the keys that hold states, transitions and experiments inside one workflow.
  constraint states_id_workflow_unique unique (id, workflow_id),
  constraint states_workflow_fk foreign key (workflow_id) references workflows (id),
  constraint states_label_check check (char_length(label) between 1 and 255 and label not in ('.', '..')),
  constraint states_freetext_check check (char_length(freetext) <= 10000),
  constraint states_position_check check (position >= 0)
);

alter table workflows
  add constraint workflows_initial_state_fk foreign key (initial_state_id, id) references states (id, workflow_id);

-- `defined` ones stand in the definition and are offered and tried. An action always has a transition, so creation
-- (`entry`) and placing by hand (`correction`) have theirs: real rows, but neither listed nor offered.
create table transitions (
  id bigint generated always as identity constraint transitions_pk primary key,
  workflow_id bigint not null,
  kind text not null default 'defined',
  source_state_id bigint not null,
  destination_state_id bigint not null,
  ordinal integer not null default 1, -- the n-th of this pair of states: its identity when the definition returns
  position integer not null default 0, -- the order in which the transitions of a state are tried
  condition text not null default '',
  by text not null default 'both',
  retired boolean not null default false,
  version bigint not null default 1,
  -- The source comes first: this index also finds the ways out of a state.
  constraint transitions_identity_unique unique (source_state_id, destination_state_id, kind, ordinal),
  constraint transitions_source_fk foreign key (source_state_id, workflow_id) references states (id, workflow_id),
  constraint transitions_destination_fk foreign key (destination_state_id, workflow_id) references states (id, workflow_id),
  constraint transitions_kind_check check (kind in ('defined', 'entry', 'correction')),
  constraint transitions_entry_check check (kind <> 'entry' or source_state_id = destination_state_id),
  constraint transitions_by_check check (by in ('person', 'engine', 'both')),
  constraint transitions_ordinal_check check (ordinal = 1 or (kind = 'defined' and ordinal > 1)),
  constraint transitions_position_check check (position >= 0),
  constraint transitions_condition_check check (char_length(condition) <= 1000)
);

-- The transitions of a workflow, for its picture, its import and every move that reads the definition anew.
create index transitions_workflow_index on transitions (workflow_id, id);

-- A callback keeps its id for life; what it does is in its versions.
create table callbacks (
  id bigint generated always as identity constraint callbacks_pk primary key,
  state_id bigint not null,
  label text collate "C" not null,
  current_version integer not null default 1,
  retired boolean not null default false,
  constraint callbacks_label_unique unique (state_id, label),
  constraint callbacks_state_fk foreign key (state_id) references states (id),
  constraint callbacks_label_check check (char_length(label) between 1 and 255 and label not in ('.', '..')),
  constraint callbacks_current_version_check check (current_version >= 1)
);

-- What an execution runs and shows, for ever: the application can add, never change.
create table callback_versions (
  callback_id bigint not null,
  version integer not null,
  workflow_revision integer not null,
  label text collate "C" not null,
  function text collate "C" not null,
  queue text collate "C" not null default 'callbacks', -- where its jobs go: to our own workers, or to those that pull
  callback_arguments json not null default '{}', -- json, not jsonb: shown in the order in which it was written
  condition text not null default '',
  description text not null default '',
  initial_delay integer not null default 0, -- seconds
  run_timeout integer not null default 60, -- minutes
  wait_timeout integer not null default 0, -- minutes
  variable_map jsonb not null default '{}',
  position integer not null default 0,
  constraint callback_versions_pk primary key (callback_id, version),
  constraint callback_versions_callback_fk foreign key (callback_id) references callbacks (id),
  constraint callback_versions_version_check check (version >= 1 and workflow_revision >= 1),
  constraint callback_versions_label_check check (char_length(label) between 1 and 255 and label not in ('.', '..')),
  constraint callback_versions_function_check check (char_length(function) between 1 and 255),
  constraint callback_versions_queue_check check (queue <> ''),
  constraint callback_versions_arguments_check check (json_typeof(callback_arguments) = 'object'),
  constraint callback_versions_condition_check check (char_length(condition) <= 1000),
  constraint callback_versions_description_check check (char_length(description) <= 10000),
  constraint callback_versions_initial_delay_check check (initial_delay between 0 and 31536000),
  constraint callback_versions_run_timeout_check check (run_timeout between 0 and 5256000),
  constraint callback_versions_wait_timeout_check check (wait_timeout between 0 and 5256000),
  constraint callback_versions_variable_map_check check (jsonb_typeof(variable_map) = 'object'),
  constraint callback_versions_position_check check (position >= 0)
);

-- Judged at the commit, as a callback and its first version come in one transaction.
alter table callbacks
  add constraint callbacks_current_version_fk foreign key (id, current_version)
  references callback_versions (callback_id, version) deferrable initially deferred;
