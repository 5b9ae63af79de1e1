/** Whether the history is signed, as it should be once a minute: docs/how-to/verify-the-history.md. */
import { readFile } from 'node:fs/promises';
import { readCheckpointKey } from '../chain/checkpoint-key.ts';
import type { Config } from '../config.ts';
import type { Db } from '../database/connection.ts';
import { readSigning, type Signing } from '../store/checkpoints.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

const what = 'Checkpoints';
const page = 'docs/how-to/verify-the-history.md';
const latestMinutes = 5;

export async function examineCheckpoints(db: Db, { checkpointKeyFile: file }: Config): Promise<Finding> {
  const fault = file === undefined ? undefined : await faultOfKey(file);
  if (fault !== undefined) {
    return failed(what, `the key in ${file} cannot be used: ${fault}`, 'Correct MILEPOST_CHECKPOINT_KEY_FILE.');
  }
  return judge(await readSigning(db), file !== undefined);
}

const faultOfKey = async (file: string): Promise<string | undefined> => {
  try {
    readCheckpointKey(await readFile(file, 'utf8'));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

function judge({ last, unsignedMinutes }: Signing, hasKey: boolean): Finding {
  if (last === null && !hasKey) {
    return warning(
      what,
      'none was ever signed: the end of the history could be cut off unseen',
      `Make a key, and name it to the workers in MILEPOST_CHECKPOINT_KEY_FILE: see ${page}.`,
    );
  }
  if (unsignedMinutes > latestMinutes) {
    return warning(
      what,
      `the history is not signed since ${Math.floor(unsignedMinutes)} minutes; the last is of ${last ?? 'never'}`,
      'See that a worker runs with MILEPOST_CHECKPOINT_KEY_FILE, and what its log says of writeCheckpoints.',
    );
  }
  return ok(what, last === null ? 'a worker with this key will sign them' : `the last of ${last}`);
}
