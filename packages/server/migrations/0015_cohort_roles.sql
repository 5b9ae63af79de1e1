-- Roles that hold for named cohorts only, beside those of user_roles, which hold for all.
--
-- Sizes: people times the cohorts they work in, thousands of rows. Read with the user on every request, by the primary key.
-- As with user_roles, giving is a row and taking deletes it; who gave and took is in the history. Users and cohorts are never
-- deleted, so nothing has to follow them; and nothing asks by cohort, so that key has no index.

create table cohort_roles (
  user_id bigint not null,
  role_id bigint not null,
  cohort_id bigint not null,
  constraint cohort_roles_pk primary key (user_id, role_id, cohort_id),
  constraint cohort_roles_user_fk foreign key (user_id) references users (id),
  constraint cohort_roles_role_fk foreign key (role_id) references roles (id),
  constraint cohort_roles_cohort_fk foreign key (cohort_id) references cohorts (id)
);

-- Which cohorts somebody reached when an answer was kept: it is repeated to those only who still reach them all. Null: all.
alter table idempotency_keys add column scope bigint[];
