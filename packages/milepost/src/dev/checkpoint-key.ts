/** Creates the key that signs checkpoints in the data folder, unless it exists. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCheckpointKey } from '@milepost/server';

export async function ensureCheckpointKey(folder: string): Promise<string> {
  const file = join(folder, 'checkpoint-key.pem');
  await mkdir(folder, { recursive: true });
  await writeFile(file, createCheckpointKey(), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  return file;
}
