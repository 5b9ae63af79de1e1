/** A file in the data folder with the process and URL in use, for the error of a second start. PostgreSQL has the real lock. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, SettingsError } from '@milepost/server';

interface Note {
  pid: number;
  url: string;
}

const fileIn = (folder: string): string => join(folder, 'running.json');
const timeoutMs = 2000;

/** Returns a function that removes the note. */
export async function noteRunning(folder: string, url: string): Promise<() => Promise<void>> {
  const note: Note = { pid: process.pid, url };
  await mkdir(folder, { recursive: true });
  await writeFile(fileIn(folder), JSON.stringify(note));
  return () => rm(fileIn(folder), { force: true });
}

export async function rejectSecondStart(folder: string): Promise<void> {
  const text = await readFile(fileIn(folder), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const { pid, url } = JSON.parse(text) as Note;
  if (!isAlive(pid) || !(await isHealthy(url))) return;
  throw new SettingsError(
    `Milepost is already running at ${url} with the data folder ${folder} (process ${pid}). ` +
      'Stop it with Ctrl-C, or start a second one with another --data and --port.',
  );
}

/** Another program may have the process id by now, so the URL is checked, too. */
const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/-/healthy`, { signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
