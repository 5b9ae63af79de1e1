/** `milepost export-history` and `milepost verify`. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { exportHistory, verifyDatabase, verifyFile, type Environment, type Known, type Report } from '@milepost/server';

/** Not over a file that is there: it may be the only one that still tells. */
export async function exportTo(file: string, environment: Environment): Promise<void> {
  await telling(async () => {
    await pipeline(exportHistory(environment), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    return { sound: true, says: [`Exported to ${file}.`] };
  });
}

/** Without a file, the history in the database. */
export async function verify(file: string | undefined, known: Known, environment: Environment): Promise<void> {
  await telling(() => (file === undefined ? verifyDatabase(environment, known) : verifyFile(file, known)));
}

/** 1: it was looked at, and is not sound. 2: it could not be looked at, as when a file is missing: nothing is said of it. */
async function telling(work: () => Promise<Report>): Promise<void> {
  try {
    const { sound, says } = await work();
    for (const sentence of says) (sound ? console.log : console.error)(sentence);
    if (!sound) process.exitCode = 1;
  } catch (error) {
    const isOther = error instanceof SyntaxError;
    console.error(
      isOther ? 'A line of the file is not JSON: it was cut off or changed.' : `Not done: ${messageOf(error)}`,
    );
    process.exitCode = isOther ? 1 : 2;
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
