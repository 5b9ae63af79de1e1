-- Assignments and snoozes of experiments. A snooze leaves an experiment out of the attention list. It covers only what had begun when it
-- was set, so it ends by itself when the experiment moves or fails again, and moves do not write here.
create table follow_ups (
  experiment_id bigint constraint follow_ups_pk primary key,
  cohort_id bigint not null, -- that of the experiment, kept equal by the key below
  assignee_id bigint,
  snoozed_at timestamptz,
  snoozed_until timestamptz(3),
  snoozed_by bigint,
  snooze_note text,
  constraint follow_ups_experiment_fk foreign key (cohort_id, experiment_id)
    references experiments (cohort_id, id) on update cascade,
  constraint follow_ups_assignee_fk foreign key (assignee_id) references users (id),
  constraint follow_ups_snoozed_by_fk foreign key (snoozed_by) references users (id),
  constraint follow_ups_snooze_check check (num_nonnulls(snoozed_at, snoozed_until, snoozed_by, snooze_note) in (0, 4)),
  constraint follow_ups_snooze_note_check check (char_length(snooze_note) <= 1000)
);
-- The experiments of a user, and those that are snoozed. Nothing asks for those that a user snoozed, so that key has no index.
create index follow_ups_assignee_index on follow_ups (assignee_id, experiment_id)
  where assignee_id is not null;
create index follow_ups_snoozed_index on follow_ups (snoozed_until) where snoozed_until is not null;

-- When a user last had the list open, and since when its items are new. One row for each user, and no history.
create table attention_visits (
  user_id bigint constraint attention_visits_pk primary key,
  last_at timestamptz(3) not null,
  new_since timestamptz(3),
  constraint attention_visits_user_fk foreign key (user_id) references users (id)
);

-- As before, and the follow-ups, whose notes can name the subject.
create or replace function forget_study(these erased_ids) returns jsonb language plpgsql as $$
declare
  counts jsonb := '{}';
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
