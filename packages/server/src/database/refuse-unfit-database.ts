/** A process does not start on a database that is not ready for it, or with a role that could do too much. */
import { SettingsError } from '../config.ts';
import type { Database } from './connection.ts';
import { canRewriteHistory, pendingMigrations } from './migrate.ts';

export async function refuseUnfitDatabase(
  { unsafeDatabaseRole }: { unsafeDatabaseRole: boolean },
  { pool }: Database,
): Promise<void> {
  const query = (text: string) => pool.query(text);
  const pending = await pendingMigrations(query);
  if (pending.length > 0) {
    throw new SettingsError(
      `The database lacks the migrations ${pending.join(', ')}. Run the migrations as its owner first.`,
    );
  }
  if (!unsafeDatabaseRole && (await canRewriteHistory(query))) {
    throw new SettingsError(
      'DATABASE_URL signs in as a role that could rewrite the history. Use the application role that the migrations grant ' +
        'its rights to; for development only, MILEPOST_UNSAFE_DATABASE_ROLE=allow serves all the same.',
    );
  }
}
