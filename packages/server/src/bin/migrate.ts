#!/usr/bin/env node
/** Brings the database up to date, as its owner (MILEPOST_OWNER_DATABASE_URL), for the role that DATABASE_URL serves as. */
import { readMigrationSettings, SettingsError } from '../config.ts';
import { migrate } from '../database/migrate.ts';

try {
  const { applied } = await migrate(readMigrationSettings(process.env));
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exitCode = 1;
}
