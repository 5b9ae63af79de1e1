/** Sets a new password through the database, with the settings of the server. */
import { readConfig, type Environment } from '../config.ts';
import { openDatabase } from '../database/connection.ts';
import { resetPassword as reset, type NewPassword, type ResetPassword } from '../engine/people/reset-password.ts';
import { createPasswords } from '../passwords.ts';
import { printFailure } from './print-failure.ts';

/** Returns undefined if it failed, and prints why. */
export async function resetPassword(environment: Environment, wanted: NewPassword): Promise<ResetPassword | undefined> {
  try {
    return await withDatabase(environment, wanted);
  } catch (error) {
    printFailure(error, 'DATABASE_URL');
    process.exitCode = 1;
    return undefined;
  }
}

async function withDatabase(environment: Environment, wanted: NewPassword): Promise<ResetPassword> {
  const options = { applicationName: 'milepost admin', poolSize: 1, onError: () => undefined };
  const database = openDatabase({ ...readConfig(environment), ...options });
  try {
    return await reset(database.db, createPasswords(), wanted);
  } finally {
    await database.close();
  }
}
