/** Prints why a process failed: one message if the operator can fix it, otherwise the stack trace. */
import { SettingsError } from '../config.ts';
import { problemFromDatabase } from '../database/problem-from-database.ts';
import { Problem } from '../errors.ts';
import { describeFailure } from '../outgoing/describe-failure.ts';
import { createRedaction } from '../redact.ts';

/** PostgreSQL error codes for a wrong password, role or database, or missing permission. */
const accessErrors = new Set(['28P01', '28000', '3D000', '42501']);

const redact = createRedaction();

/** `urlSetting` is the setting with the URL of the process's database. */
export const printFailure = (error: unknown, urlSetting: string): void =>
  console.error(redact(messageFor(error, urlSetting)));

function messageFor(error: unknown, urlSetting: string): string {
  if (error instanceof Problem && error.faults.length > 0) return error.faults.map(({ detail }) => detail).join('\n');
  if (error instanceof SettingsError || error instanceof Problem) return error.message;
  if (isDatabaseError(error)) return unreachable(error, urlSetting);
  // Not the error object: those of PostgreSQL contain the rejected row.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isDatabaseError(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return accessErrors.has(code) || problemFromDatabase(error)?.code === 'database_unavailable';
}

const unreachable = (error: unknown, urlSetting: string) =>
  `Cannot use the database: ${describeFailure(error)}. Check that PostgreSQL is running and that ${urlSetting} is ` +
  'correct. Run `milepost doctor` for details.';
