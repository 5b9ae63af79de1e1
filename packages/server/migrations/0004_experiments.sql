-- Experiments: what moves through a workflow, with its variables, its scans and its ids in other systems.
--
-- Sizes: 10 M experiments, some variables, links and scans each. A move changes state_id, which is indexed, so it writes a
-- new entry into every index of the table: each index here is paid for by each move and has to earn it.

create table experiments (
  id bigint generated always as identity constraint experiments_pk primary key,
  subject_id bigint not null,
  cohort_id bigint not null, -- that of the subject, kept true by the key below: lists limited to cohorts need no join
  workflow_id bigint not null,
  state_id bigint not null,
  label text collate "C" not null,
  scandate timestamp(3), -- the scanner's wall clock, which knows no zone
  action_sequence bigint not null default 0, -- the sequence of the latest action; without gaps
  version bigint not null default 1, -- rises with every write that a condition could read
  -- The label comes first: this index also finds an experiment by its label alone, which any reference may be.
  constraint experiments_label_unique unique (label, subject_id),
  -- The experiments of a cohort in pages ordered by id, for callers who may see some cohorts only. Unique of itself, and
  -- declared so for the keys by which links and scans carry the cohort of their experiment.
  constraint experiments_cohort_unique unique (cohort_id, id),
  -- A subject that changes cohort takes its experiments along. The cohort has no key of its own: that would lock the
  -- cohort's one row for each of its experiments.
  constraint experiments_subject_fk foreign key (subject_id, cohort_id) references subjects (id, cohort_id) on update cascade,
  constraint experiments_state_fk foreign key (state_id, workflow_id) references states (id, workflow_id),
  constraint experiments_label_check check (char_length(label) between 1 and 255 and label not in ('.', '..')),
  constraint experiments_action_sequence_check check (action_sequence >= 0)
) with (
  -- Half of the updates raise only `version` (reports, variables, ends of actions). With a seventh of each page left free
  -- they stay on it and touch no index.
  fillfactor = 85,
  -- By default 2 M of 10 M rows may be dead before anybody cleans up.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

-- The experiments of a subject (on every page about it; the cascade of its cohort), ordered by id.
create index experiments_subject_index on experiments (subject_id, id);
-- The experiments of a state in pages ordered by id, and their count: the list that dashboards and pollers ask for most.
create index experiments_state_index on experiments (state_id, id);
-- The experiments of a day: some thousands of 10 M, sorted by id afterwards.
create index experiments_scandate_index on experiments (scandate) where scandate is not null;

create table experiment_variables (
  experiment_id bigint not null,
  name text collate "C" not null,
  value jsonb not null,
  constraint experiment_variables_pk primary key (experiment_id, name),
  constraint experiment_variables_experiment_fk foreign key (experiment_id) references experiments (id),
  constraint experiment_variables_name_check check (char_length(name) between 1 and 255)
);

create table external_experiment_links (
  id bigint generated always as identity constraint external_experiment_links_pk primary key,
  experiment_id bigint not null,
  cohort_id bigint not null, -- that of the experiment, kept true by the key below, as in experiments
  external_system_id bigint not null,
  external_id text collate "C" not null,
  version bigint not null default 1,
  -- Also finds all links of an experiment, which every answer about it shows.
  constraint external_experiment_links_pair_unique unique (experiment_id, external_system_id),
  constraint external_experiment_links_experiment_fk foreign key (cohort_id, experiment_id)
    references experiments (cohort_id, id) on update cascade,
  constraint external_experiment_links_external_system_fk foreign key (external_system_id) references external_systems (id),
  constraint external_experiment_links_external_id_check check (char_length(external_id) between 1 and 1024)
);

-- Which experiment is this session of the archive? Cut for the same reason as that of subjects.
create index external_experiment_links_external_id_index
  on external_experiment_links (external_system_id, left(external_id, 255));

-- The links of a cohort in pages ordered by id, as those of subjects.
create index external_experiment_links_cohort_index on external_experiment_links (cohort_id, id);

-- Nothing asks for the scans of a scan type, so that key has no index.
create table scans (
  id bigint generated always as identity constraint scans_pk primary key,
  experiment_id bigint not null,
  cohort_id bigint not null, -- that of the experiment, kept true by the key below, as in experiments
  scantype_id bigint not null,
  constraint scans_experiment_fk foreign key (cohort_id, experiment_id)
    references experiments (cohort_id, id) on update cascade,
  constraint scans_scantype_fk foreign key (scantype_id) references scantypes (id)
);

-- The scans of a cohort in pages ordered by id, as the links.
create index scans_cohort_index on scans (cohort_id, id);
-- The scans of an experiment, which follow it into another cohort.
create index scans_experiment_index on scans (experiment_id);
