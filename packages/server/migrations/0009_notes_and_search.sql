-- Notes that people write on experiments, and what screens need to find things: by the beginning of a label, and by what runs
-- or waits now.

-- The application can add, never change: what was wrong is put right by another note.
create table notes (
  id bigint generated always as identity constraint notes_pk primary key,
  experiment_id bigint not null,
  cohort_id bigint not null, -- that of the experiment, kept true by the key below, as with scans
  user_id bigint not null,
  text text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint notes_experiment_fk foreign key (cohort_id, experiment_id)
    references experiments (cohort_id, id) on update cascade,
  constraint notes_user_fk foreign key (user_id) references users (id),
  constraint notes_text_check check (char_length(text) between 1 and 10000)
);

-- The notes on an experiment, in pages ordered by id; also those that follow it into another cohort. Nothing asks for the
-- notes of a user, so that key has no index.
create index notes_experiment_index on notes (experiment_id, id);

-- The beginning of a label, large or small. Every move writes an entry into each index of experiments, so one more would make
-- each move dearer. Instead two of them change places and a third is left out, and their number stays what it was:
--   (label, subject_id), unique     found an experiment by its label alone  -> (lower(label), id), and the label is compared
--   (subject_id, id)                found the experiments of a subject      -> (subject_id, label), unique
-- A subject has a handful of experiments, which are sorted by id when they were read.
-- Labels are compared byte by byte (collation "C"), in which lower() knows A to Z only: an index that depended on the
-- machine's tables of letters would be wrong after an upgrade of those.
alter table experiments drop constraint experiments_label_unique;
alter table experiments add constraint experiments_label_unique unique (subject_id, label);
drop index experiments_subject_index;
create index experiments_label_index on experiments (lower(label), id);

-- Subjects rarely change, and the index by which links and experiments find them stays.
create index subjects_label_index on subjects (lower(label), id);

-- What runs or waits now, ordered by id: for who waits too long and what is tried again. What nobody has started yet has an
-- index already. The status is part of that one's condition, so a change of it touches every index in any case: this adds one
-- small entry to a start or a wait, and none to an end.
create index callback_executions_open_index on callback_executions (status, id) where status in ('running', 'waiting');
