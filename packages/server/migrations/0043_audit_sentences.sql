-- The audit log shows a bulk operation or an import as one change. Its entries about experiments and subjects name it, so that they
-- can be left out. Ids stay in the chain.
create or replace function history_kept_names(chain text) returns text[] language sql immutable as $$
  select case chain
    when 'experiment' then '{id,experiment_id,subject_id,cohort_id,workflow_id,scantype_id,transition_id,action_id,retry_of,
      state,state_id,state_label,status,result,success,incident,late_report,start_time,end_time,version,withdrawn_at,
      erasure_id,bulk_operation_id,import_id}'::text[]
    when 'subject' then '{id,cohort_id,version,withdrawn_at,erasure_id,import_id}'::text[]
    when 'users' then '{id,active,create_time,role,has_role,roles,session_id,password,version}'::text[]
  end
$$;

-- Checks of the whole history. A worker runs one that a user requested. Few rows.
create table verifications (
  id bigint generated always as identity constraint verifications_pk primary key,
  requested_by bigint not null,
  requested_at timestamptz(3) not null default clock_timestamp(),
  seen_at timestamptz(3), -- when the worker last reported progress. Null if no worker has it
  finished_at timestamptz(3),
  attempts smallint not null default 0, -- claims of workers, without released ones. Only the last claim can write
  entries bigint not null default 0,
  checkpoints bigint not null default 0,
  fault text,
  failure text, -- why the history could not be verified
  constraint verifications_user_fk foreign key (requested_by) references users (id),
  constraint verifications_fault_check check (fault is null and failure is null or finished_at is not null)
);

create unique index verifications_unfinished_unique on verifications ((finished_at is null)) where finished_at is null;
