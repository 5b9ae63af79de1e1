/** What is said of a process that could not do its work: a sentence where its operator can mend it. */
import { SettingsError } from '../config.ts';
import { problemFromDatabase } from '../database/problem-from-database.ts';
import { Problem } from '../errors.ts';
import { failureWords } from '../outgoing/failure-words.ts';
import { createRedaction } from '../redact.ts';

/** Of signing in to PostgreSQL: this password, this role, this database. */
const refusals = new Set(['28P01', '28000', '3D000', '42501']);

const redact = createRedaction();

/** `urlSetting` names the database that this process works with. */
export const sayFailure = (error: unknown, urlSetting: string): void =>
  console.error(redact(wordsFor(error, urlSetting)));

function wordsFor(error: unknown, urlSetting: string): string {
  if (error instanceof SettingsError || error instanceof Problem) return error.message;
  if (isOfTheDatabase(error)) return unreachable(error, urlSetting);
  // Not the error as it is: PostgreSQL's carry the row that was refused.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isOfTheDatabase(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return refusals.has(code) || problemFromDatabase(error)?.code === 'database_unavailable';
}

const unreachable = (error: unknown, urlSetting: string) =>
  `The database cannot be used: ${failureWords(error)}. See that PostgreSQL runs, and that ${urlSetting} leads to it; \`milepost doctor\` looks closer.`;
