/** Reads a task base from the operator's task folder. Names and links cannot lead outside it. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { PermanentFailure } from './callback-function.ts';

const maxLength = 1024 * 1024;

export async function readTaskBase(folder: string | undefined, name: string): Promise<string> {
  if (folder === undefined) {
    throw new PermanentFailure('No task folder is configured. The operator sets it with MILEPOST_TASK_FOLDER.');
  }
  const path = await pathInside(folder, name);
  if (path === undefined) throw new PermanentFailure(`task_base "${name}" is not a file in the task folder.`);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new PermanentFailure(`The worker cannot read task_base "${name}".`);
  });
  if (text.length > maxLength) {
    const length = text.length.toLocaleString('en');
    throw new PermanentFailure(`task_base "${name}" has ${length} characters (at most 1,048,576 are allowed).`);
  }
  return text;
}

/** Also undefined for missing files, so that errors reveal nothing about files outside the folder. */
async function pathInside(folder: string, name: string): Promise<string | undefined> {
  try {
    const [inside, path] = await Promise.all([realpath(folder), realpath(resolve(folder, name))]);
    return path.startsWith(inside.replace(/\/*$/, sep)) && (await stat(path)).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
