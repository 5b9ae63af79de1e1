-- Every action checked that its transition exists, and every execution that the version of its callback does. Each check is a query
-- and a lock on a row that all experiments of a state share. The application has no right to delete these rows, and the engine takes
-- their ids from the definition whose revision it checks in the same statement.
alter table actions drop constraint actions_transition_fk;
alter table callback_executions drop constraint callback_executions_version_fk;
