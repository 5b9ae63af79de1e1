-- Outside a transaction: a statement at a time, each of which may run again. An index that stopped half-way is made anew.

-- The rule of the file before, held against the subjects that were there.
alter table subjects validate constraint subjects_erased_check;

-- Who is left out of counts and of moves in bulk: few among millions.
drop index concurrently if exists subjects_withdrawn_index;
create index concurrently subjects_withdrawn_index on subjects (id) where withdrawn_at is not null;

-- What one person did, newest first. Sizes: as history, without what programs and the workflow do by themselves; of a move it
-- costs one more entry of an index. (What was done at a time needs none: ids grow with time.)
drop index concurrently if exists history_actor_index;
create index concurrently history_actor_index on history (actor_id, id) where actor_kind = 'user';
