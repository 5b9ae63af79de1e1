-- Tries to sign in that failed, or of which it is not known yet, one row for each address and account together. All
-- servers count here, so that guesses spread over them count as well.
--
-- What somebody typed as a name may be their password: a pair is known by its SHA-256 alone, for minutes.
--
-- Not in the log of the database, and so neither in its backups nor on its replicas: a row lives for 15 minutes, and a try
-- need not wait for the disk. After a crash of the database the table is empty, and whoever guesses has ten more tries.
create unlogged table sign_in_failures (
  pair_hash bytea not null,
  count integer not null,
  since timestamptz(3) not null default clock_timestamp(),
  constraint sign_in_failures_pk primary key (pair_hash),
  constraint sign_in_failures_pair_hash_check check (octet_length(pair_hash) = 32),
  constraint sign_in_failures_count_check check (count > 0)
);

-- Every minute what is over goes, oldest first.
create index sign_in_failures_since_index on sign_in_failures (since);
