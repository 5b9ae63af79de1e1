/** Checks that workers sign the history, which they should do once a minute. See docs/how-to/verify-the-history.md. */
import { readFile } from 'node:fs/promises';
import { readCheckpointKey } from '../chain/checkpoint-key.ts';
import type { Config } from '../config.ts';
import type { Db } from '../database/connection.ts';
import { maxUnsignedMinutes, readSigningStatus, type SigningStatus } from '../store/record/checkpoints.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

const check = 'Checkpoints';
const page = 'docs/how-to/verify-the-history.md';

export async function examineCheckpoints(db: Db, { checkpointKeyFile: file }: Config): Promise<Finding> {
  const fault = file === undefined ? undefined : await faultOfKey(file);
  if (fault !== undefined) {
    return failed(check, `the key in ${file} cannot be used: ${fault}`, 'Correct MILEPOST_CHECKPOINT_KEY_FILE.');
  }
  return judge(await readSigningStatus(db), file !== undefined);
}

const faultOfKey = async (file: string): Promise<string | undefined> => {
  try {
    readCheckpointKey(await readFile(file, 'utf8'));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

function judge({ last, unsignedMinutes }: SigningStatus, hasKey: boolean): Finding {
  if (last === null && !hasKey) {
    return warning(
      check,
      'none signed yet, so the end of the history could be removed undetected',
      `Create a key and set MILEPOST_CHECKPOINT_KEY_FILE for the workers. See ${page}.`,
    );
  }
  if (unsignedMinutes > maxUnsignedMinutes) {
    return warning(
      check,
      `the history has not been signed for ${Math.floor(unsignedMinutes)} minutes (latest checkpoint: ${last ?? 'none'})`,
      'Check that a worker is running with MILEPOST_CHECKPOINT_KEY_FILE, and look for writeCheckpoints in its log.',
    );
  }
  return ok(check, last === null ? 'none yet, but a worker with this key will sign them' : `last signed ${last}`);
}
