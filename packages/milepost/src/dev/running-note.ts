/** A note beside the data of who serves them and where, so that a second start can say so. PostgreSQL holds the real lock. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, SettingsError } from '@milepost/server';

interface Note {
  pid: number;
  url: string;
}

const fileIn = (folder: string): string => join(folder, 'running.json');
const patienceMs = 2000;

/** Answers what takes the note away again. */
export async function noteRunning(folder: string, url: string): Promise<() => Promise<void>> {
  const note: Note = { pid: process.pid, url };
  await mkdir(folder, { recursive: true });
  await writeFile(fileIn(folder), JSON.stringify(note));
  return () => rm(fileIn(folder), { force: true });
}

export async function refuseSecond(folder: string): Promise<void> {
  const text = await readFile(fileIn(folder), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const { pid, url } = JSON.parse(text) as Note;
  if (!isAlive(pid) || !(await answers(url))) return;
  throw new SettingsError(
    `Milepost is running already with the data in ${folder}, at ${url} (process ${pid}). ` +
      'Use it there, end it with Ctrl-C, or start another with --data and --port.',
  );
}

/** A process of this number may be another by now. */
const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/-/healthy`, { signal: AbortSignal.timeout(patienceMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
