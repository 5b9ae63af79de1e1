-- People: who may sign in, and what their roles let them do.
--
-- Sizes: thousands of rows at most. Names compare byte by byte (collation "C"), so that an upgrade of the machine's
-- locale cannot corrupt an index. What must be unique without regard to case is kept twice: as written, and folded by
-- the application in a column ..._key, since folding belongs to Unicode and not to the locale of a database.
-- Nothing is deleted: a user is deactivated. `version` rises with each change of a row and becomes its ETag.

create table roles (
  id bigint generated always as identity constraint roles_pk primary key,
  name text collate "C" not null,
  description text not null default '',
  permissions text[] not null default '{}',
  update_datetime timestamptz(3) not null default clock_timestamp(),
  version bigint not null default 1,
  constraint roles_name_unique unique (name),
  constraint roles_name_check check (char_length(name) between 1 and 255),
  constraint roles_description_check check (char_length(description) <= 10000),
  constraint roles_permissions_check check (array_position(permissions, null) is null)
);

-- The e-mail holds an @ and the username holds none, unless it is that very e-mail: what somebody signs in with, one or
-- the other, thus names one account.
create table users (
  id bigint generated always as identity constraint users_pk primary key,
  username text collate "C" not null,
  username_key text collate "C" not null,
  email text collate "C" not null,
  email_key text collate "C" not null,
  name text not null default '',
  password_hash text, -- null: signs in through somebody else (OpenID Connect), never by password
  active boolean not null default true,
  create_time timestamptz(3) not null default clock_timestamp(),
  version bigint not null default 1,
  constraint users_username_unique unique (username_key),
  constraint users_email_unique unique (email_key),
  constraint users_username_check check (char_length(username) between 1 and 255),
  constraint users_username_no_colon_check check (strpos(username, ':') = 0),
  constraint users_username_at_check check (strpos(username, '@') = 0 or username_key = email_key),
  constraint users_email_check check (char_length(email) between 3 and 255 and strpos(email, '@') > 0),
  constraint users_name_check check (char_length(name) <= 255)
);

create table user_roles (
  user_id bigint not null,
  role_id bigint not null,
  constraint user_roles_pk primary key (user_id, role_id),
  constraint user_roles_user_fk foreign key (user_id) references users (id),
  constraint user_roles_role_fk foreign key (role_id) references roles (id)
);

-- Who has a role: asked before the last active admin could go.
create index user_roles_role_index on user_roles (role_id);

-- The roles of the first start. `admin` has every permission by its name, also those of later releases: its list stays
-- empty, and the application knows.
insert into roles (name, description, permissions) values
  ('admin', 'May do everything', '{}'),
  ('superuser', 'Adds and moves study data', '{sample_state_update,sample_add,sample_update,user_read,upload_data}'),
  ('user', 'Reads study data', '{user_read}');
