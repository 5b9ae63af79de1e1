/** The settings of `milepost migrate`. */
import { postgresUrl } from './readers.ts';
import { given, rejectWeakSecret, SettingsError, type Environment } from './secrets.ts';

export const ownerSetting = 'MILEPOST_OWNER_DATABASE_URL';

/** Migrations connect as the owner role and grant the application role its permissions. */
export function readMigrationSettings(environment: Environment) {
  const [ownerUrl, databaseUrl] = [given(environment, ownerSetting), given(environment, 'DATABASE_URL')];
  if (ownerUrl === undefined || databaseUrl === undefined) {
    throw new SettingsError(
      `Set ${ownerSetting} to the database URL for the owner role, and DATABASE_URL to the one for the application role.`,
    );
  }
  for (const [name, value] of Object.entries({ [ownerSetting]: ownerUrl, DATABASE_URL: databaseUrl })) {
    try {
      postgresUrl(value);
      rejectWeakSecret(name, value);
    } catch (error) {
      throw new SettingsError(`${name} is "(hidden)": ${(error as Error).message}.`);
    }
  }
  return { ownerUrl, appRole: decodeURIComponent(new URL(databaseUrl).username) };
}
