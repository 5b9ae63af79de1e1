-- How often in a row workers tried to continue with a bulk operation or an import and could not. It stops after many tries.
alter table bulk_operations add column tries integer not null default 0;
alter table imports add column tries integer not null default 0;
