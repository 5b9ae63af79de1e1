/** `milepost export-history` and `milepost verify`. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { exportHistory, verifyDatabase, verifyFile, type Environment, type Known, type Report } from '@milepost/server';

/** Never overwrites an existing file, which could be the only intact copy. */
export async function exportTo(file: string, environment: Environment): Promise<void> {
  await printReport(async () => {
    await pipeline(exportHistory(environment), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    return { valid: true, messages: [`Exported the history to ${file}.`] };
  });
}

/** Verifies the exported file, or the history in the database if there is no file. */
export async function verify(file: string | undefined, known: Known, environment: Environment): Promise<void> {
  await printReport(() => (file === undefined ? verifyDatabase(environment, known) : verifyFile(file, known)));
}

/** Exit code 1: the history is invalid. 2: it could not be read, for example because the file is missing. */
async function printReport(work: () => Promise<Report>): Promise<void> {
  try {
    const { valid, messages } = await work();
    for (const message of messages) (valid ? console.log : console.error)(message);
    if (!valid) process.exitCode = 1;
  } catch (error) {
    const isInvalidJson = error instanceof SyntaxError;
    console.error(
      isInvalidJson
        ? 'A line of the file is not valid JSON. The file is incomplete or was changed.'
        : `Failed: ${messageOf(error)}`,
    );
    process.exitCode = isInvalidJson ? 1 : 2;
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
