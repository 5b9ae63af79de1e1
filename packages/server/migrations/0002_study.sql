-- The study: cohorts, their subjects, the kinds of scan, and the other systems in which subjects and cohorts are known.
--
-- Sizes: hundreds of cohorts, up to 10 M subjects with a link or two each. Nothing is deleted but links and URLs.
-- Labels are unique as written; the application checks their characters, the database their length and what would break
-- a path.

create table external_systems (
  id bigint generated always as identity constraint external_systems_pk primary key,
  system_name text collate "C" not null,
  url text not null default '',
  version bigint not null default 1,
  constraint external_systems_system_name_unique unique (system_name),
  constraint external_systems_system_name_check check (char_length(system_name) between 1 and 100),
  constraint external_systems_url_check check (char_length(url) <= 1024)
);

create table scantypes (
  id bigint generated always as identity constraint scantypes_pk primary key,
  modality text not null default '',
  protocol text collate "C" not null,
  version bigint not null default 1,
  constraint scantypes_protocol_unique unique (protocol),
  constraint scantypes_protocol_check check (char_length(protocol) between 1 and 255),
  constraint scantypes_modality_check check (char_length(modality) <= 255)
);

create table cohorts (
  id bigint generated always as identity constraint cohorts_pk primary key,
  label text collate "C" not null,
  description text not null default '',
  version bigint not null default 1,
  constraint cohorts_label_unique unique (label),
  constraint cohorts_label_check check (char_length(label) between 1 and 255 and label not in ('.', '..', 'by-label')),
  constraint cohorts_description_check check (char_length(description) <= 10000)
);

create table cohort_urls (
  cohort_id bigint not null,
  external_system_id bigint not null,
  url text not null,
  constraint cohort_urls_pk primary key (cohort_id, external_system_id),
  constraint cohort_urls_cohort_fk foreign key (cohort_id) references cohorts (id),
  constraint cohort_urls_external_system_fk foreign key (external_system_id) references external_systems (id),
  constraint cohort_urls_url_check check (char_length(url) between 1 and 1024)
);

create table subjects (
  id bigint generated always as identity constraint subjects_pk primary key,
  cohort_id bigint not null,
  label text collate "C" not null,
  date_of_birth date,
  version bigint not null default 1,
  -- The label comes first: this index also finds a subject by its label alone, which any reference may be.
  constraint subjects_label_unique unique (label, cohort_id),
  -- For the keys by which experiments and links carry the cohort of their subject.
  constraint subjects_id_cohort_unique unique (id, cohort_id),
  constraint subjects_cohort_fk foreign key (cohort_id) references cohorts (id),
  constraint subjects_label_check check (char_length(label) between 1 and 255 and label not in ('.', '..'))
);

-- The subjects of a cohort in pages ordered by id: at 10 M rows each page reads its own rows and no others.
create index subjects_cohort_index on subjects (cohort_id, id);

create table external_subject_links (
  id bigint generated always as identity constraint external_subject_links_pk primary key,
  subject_id bigint not null,
  cohort_id bigint not null, -- that of the subject, kept true by the key below: lists limited to cohorts need no join
  external_system_id bigint not null,
  external_id text collate "C" not null,
  version bigint not null default 1,
  -- Also finds all links of a subject, which every answer about it shows.
  constraint external_subject_links_pair_unique unique (subject_id, external_system_id),
  constraint external_subject_links_subject_fk foreign key (subject_id, cohort_id) references subjects (id, cohort_id)
    on update cascade,
  constraint external_subject_links_external_system_fk foreign key (external_system_id) references external_systems (id),
  constraint external_subject_links_external_id_check check (char_length(external_id) between 1 and 1024)
);

-- Whose id in the archive is this? Cut, as 1,024 characters can be more bytes than an index entry holds; whoever asks
-- compares left(external_id, 255) and then external_id.
create index external_subject_links_external_id_index
  on external_subject_links (external_system_id, left(external_id, 255));
-- The links of a cohort in pages ordered by id, for callers who may see some cohorts only: without it a page of a small or
-- new cohort reads the links of all others first.
create index external_subject_links_cohort_index on external_subject_links (cohort_id, id);
