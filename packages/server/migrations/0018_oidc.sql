-- Single sign-on: who somebody is at a provider of OpenID Connect, and the sign-ins that are on their way.
--
-- Sizes: an identity for each user at most; as many begun sign-ins as people clicked within ten minutes or so.

-- A person is known by the issuer and the subject, byte by byte, and by nothing else. Neither is ever changed or reused.
create table user_identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id bigint not null,
  created_at timestamptz(3) not null default now(),
  constraint user_identities_pk primary key (issuer, subject),
  -- An account has one identity, so that whoever controls it is one person.
  constraint user_identities_user_unique unique (user_id),
  constraint user_identities_user_fk foreign key (user_id) references users (id),
  constraint user_identities_issuer_check check (char_length(issuer) between 1 and 255),
  constraint user_identities_subject_check check (char_length(subject) between 1 and 255)
);

-- Of the secret that the browser holds, from which everything else is derived, only the SHA-256 is here. The row is
-- deleted by the callback: none can be used twice, at whichever process.
create table begun_sign_ins (
  secret_hash bytea not null,
  return_to text not null,
  expires_at timestamptz(3) not null default now() + interval '10 minutes',
  constraint begun_sign_ins_pk primary key (secret_hash),
  constraint begun_sign_ins_secret_hash_check check (octet_length(secret_hash) = 32),
  constraint begun_sign_ins_return_to_check check (char_length(return_to) <= 1000 and left(return_to, 1) = '/')
);

-- Those that are over: each new one removes two of them.
create index begun_sign_ins_expires_at_index on begun_sign_ins (expires_at);
