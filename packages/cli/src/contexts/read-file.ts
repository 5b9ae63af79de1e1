/** Reads a file that the user names. */
import { readFile, stat } from 'node:fs/promises';
import { Failure } from '../run/failure.ts';

const explainMissing =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw error.code === 'ENOENT' ? new Failure('failed', `No file \`${path}\`.`) : error;
  };

export const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(explainMissing(path));

export async function requireFile(path: string): Promise<void> {
  await stat(path).catch(explainMissing(path));
}
