-- What one person did, newest first. Sizes: as history, without what programs and the workflow do by themselves; of a move it
-- costs one more entry of an index. (What was done at a time needs none: ids grow with time.)
create index history_actor_index on history (actor_id, id) where actor_kind = 'user';
