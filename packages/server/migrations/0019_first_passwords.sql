-- Accounts that were imported with a password that was rejected. Unlike service accounts and accounts of single sign-on, which
-- have no password either, they can set their first one with a reset link. False again once they have one.

alter table users add column awaits_password boolean not null default false;
