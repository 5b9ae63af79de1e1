/** The file with the servers and tokens of the user, which only this user can read. */
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from '../run/command.ts';
import { Failure } from '../run/failure.ts';

export interface Context {
  /** Of the API, with its base path. */
  url: string;
  token: string;
  token_id: number;
  user_id: number;
  username: string;
  expires_at: string;
}

export interface ContextFile {
  current: string | null;
  contexts: Readonly<Record<string, Context>>;
}

export const contextFilePath = ({ XDG_CONFIG_HOME, HOME }: Environment): string =>
  join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'milepost', 'contexts.json');

const othersMayRead = 0o077;

export async function readContexts(environment: Environment): Promise<ContextFile> {
  const file = contextFilePath(environment);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new Failure('failed', `Cannot read ${file}: ${error.message}`);
  });
  if (!found) return { current: null, contexts: {} };
  if ((found.mode & othersMayRead) !== 0 && process.platform !== 'win32')
    throw new Failure('failed', `Other users can read ${file}, which contains tokens.`, `Run: chmod 600 ${file}`);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ContextFile;
  } catch {
    throw new Failure('failed', `${file} is not valid JSON.`, 'Correct it, or delete it and run `milepost login`.');
  }
}

/** Replaces the file as a whole, so that an interrupted write never loses the other contexts. */
export async function writeContexts(environment: Environment, contexts: ContextFile): Promise<void> {
  const file = contextFilePath(environment);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  await writeFile(next, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 });
  await chmod(next, 0o600);
  await rename(next, file);
}
