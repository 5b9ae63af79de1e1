/**
 * Signs what was added to the history since the last checkpoint. Each signs 10,000 entries at most; the first ones after an
 * upgrade follow each other until everything is signed.
 */
import type { CheckpointKey } from '../chain/checkpoint-key.ts';
import { signCheckpoint } from '../chain/sign-checkpoint.ts';
import type { Db } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { findLastCheckpoint, insertCheckpoint, lockCheckpoints, readUnsigned } from '../store/checkpoints.ts';

const mostEntries = 10_000;

export async function writeCheckpoints(db: Db, key: CheckpointKey, signal?: AbortSignal): Promise<number> {
  let written = 0;
  for (;;) {
    const outcome = await writeCheckpoint(db, key);
    if (outcome !== 'nothing') written++;
    if (outcome !== 'more' || signal?.aborted) return written;
  }
}

const writeCheckpoint = (db: Db, key: CheckpointKey): Promise<'nothing' | 'all' | 'more'> =>
  inTransaction(db, async (tx) => {
    if (!(await lockCheckpoints(tx))) return 'nothing';
    const last = await findLastCheckpoint(tx);
    const unsigned = await readUnsigned(tx, last ?? { xid: '0', id: 0 }, mostEntries);
    if (!unsigned) return 'nothing';
    await insertCheckpoint(tx, signCheckpoint(last, unsigned, key), unsigned.upTo);
    return unsigned.full ? 'more' : 'all';
  });
