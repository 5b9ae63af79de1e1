/**
 * Lets the test databases reject every visible change by the application that does not increment the row's version. With an
 * unchanged ETag, two users could overwrite each other's changes.
 */
import type { Client } from 'pg';

/** Turns the check off for the connection of a test that writes rows directly. */
export const unguarded = `set test.guarded = 'off'`;

/** Columns that no response with an ETag contains, such as the password hash and the layout of a workflow. */
const hidden = ['password_hash', 'last_sign_in_at', 'layout', 'version'];

export async function guardVersions(client: Client, appRole: string): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select table_name as table from information_schema.columns
     where table_schema = 'public' and column_name = 'version' and table_name <> 'callback_versions'`,
  );
  await client.query(`
    create function refuse_unraised_version() returns trigger language plpgsql as $$
    begin
      if current_user = '${appRole}' and coalesce(current_setting('test.guarded', true), '') <> 'off' and old.version = new.version
        and to_jsonb(old) - '{${hidden.join()}}'::text[] <> to_jsonb(new) - '{${hidden.join()}}'::text[] then
        raise exception 'a row of % was changed without incrementing its version', tg_table_name;
      end if;
      return new;
    end $$`);
  for (const { table } of rows) {
    await client.query(`create trigger version_is_raised before update on ${table}
      for each row execute function refuse_unraised_version()`);
  }
}
