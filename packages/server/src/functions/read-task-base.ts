/** A task base is a file of the operator's folder. Nothing outside it is read, wherever names or links lead. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { LastingFailure } from './callback-function.ts';

const most = 1024 * 1024;

export async function readTaskBase(folder: string | undefined, name: string): Promise<string> {
  if (folder === undefined) {
    throw new LastingFailure('There is no folder of task bases: the operator names one with MILEPOST_TASK_FOLDER.');
  }
  const path = await pathInside(folder, name);
  if (path === undefined)
    throw new LastingFailure(`task_base is "${name}", which is no file of the folder of task bases.`);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new LastingFailure(`task_base is "${name}", which the server may not read.`);
  });
  if (text.length > most) throw new LastingFailure(`task_base is "${name}", which is longer than 1 MiB.`);
  return text;
}

/** Undefined, too, for what is not there, so that nobody learns what is outside. */
async function pathInside(folder: string, name: string): Promise<string | undefined> {
  try {
    const [inside, path] = await Promise.all([realpath(folder), realpath(resolve(folder, name))]);
    return path.startsWith(inside.replace(/\/*$/, sep)) && (await stat(path)).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
