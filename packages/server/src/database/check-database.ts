/** Stops the start of a process if migrations are pending or the database role could rewrite the history. */
import { SettingsError } from '../config.ts';
import type { Database } from './connection.ts';
import { canRewriteHistory, pendingMigrations } from './migrate.ts';

export async function checkDatabase(
  { unsafeDatabaseRole }: { unsafeDatabaseRole: boolean },
  { pool }: Database,
): Promise<void> {
  const query = (text: string) => pool.query(text);
  const pending = await pendingMigrations(query);
  if (pending.length > 0) {
    throw new SettingsError(
      `Migrations are pending: ${pending.join(', ')}. Run \`milepost migrate\` as the database owner first.`,
    );
  }
  if (!unsafeDatabaseRole && (await canRewriteHistory(query))) {
    throw new SettingsError(
      'DATABASE_URL connects with a role that could rewrite the history. Use the application role. ' +
        'For development only, you can set MILEPOST_UNSAFE_DATABASE_ROLE=allow.',
    );
  }
}
