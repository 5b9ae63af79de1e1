/**
 * In the databases of tests, PostgreSQL itself refuses a change by the application that is seen from outside and does not raise
 * the row's version: an ETag that stayed the same would let two people overwrite each other.
 */
import type { Client } from 'pg';

/** For connections of tests that write rows by hand. */
export const unguarded = `set test.guarded = 'off'`;

/** What nobody is shown: a password's hash made stronger, and the picture of a workflow. */
const unseen = ['password_hash', 'layout', 'version'];

export async function guardVersions(client: Client, appRole: string): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select table_name as table from information_schema.columns
     where table_schema = 'public' and column_name = 'version' and table_name <> 'callback_versions'`,
  );
  await client.query(`
    create function refuse_unraised_version() returns trigger language plpgsql as $$
    begin
      if current_user = '${appRole}' and coalesce(current_setting('test.guarded', true), '') <> 'off' and old.version = new.version
        and to_jsonb(old) - '{${unseen.join()}}'::text[] <> to_jsonb(new) - '{${unseen.join()}}'::text[] then
        raise exception 'a row of % was changed without raising its version', tg_table_name;
      end if;
      return new;
    end $$`);
  for (const { table } of rows) {
    await client.query(`create trigger version_is_raised before update on ${table}
      for each row execute function refuse_unraised_version()`);
  }
}
