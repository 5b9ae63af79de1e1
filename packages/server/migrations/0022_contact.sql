-- When a worker or a server last reached the database. A lease runs only during contact: after an outage of the database, the
-- owners of attempts renew their leases, and no worker takes their attempts for lost.

create table contact (
  holder text not null, -- who renews the leases: workers renew their own, servers those of pulling workers
  at timestamptz(3) not null default clock_timestamp(),
  constraint contact_pk primary key (holder),
  constraint contact_holder_check check (holder in ('worker', 'server'))
) with (fillfactor = 10); -- two rows, updated every two seconds: they stay on their page

insert into contact (holder) values ('worker'), ('server');

-- Times without contact. A lease depends on the last few only.
create table contact_gaps (
  holder text not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  constraint contact_gaps_pk primary key (holder, ended_at),
  constraint contact_gaps_holder_fk foreign key (holder) references contact (holder),
  constraint contact_gaps_times_check check (ended_at >= started_at)
);
