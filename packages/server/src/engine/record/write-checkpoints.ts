/**
 * Signs the history entries added since the last checkpoint. A checkpoint signs at most 10,000 entries, so a large backlog, such
 * as after an upgrade, takes several.
 */
import type { CheckpointKey } from '../../chain/checkpoint-key.ts';
import { signCheckpoint, type Checkpoint } from '../../chain/sign-checkpoint.ts';
import type { Db, Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import {
  findLastCheckpoint,
  findSettledXid,
  insertCheckpoint,
  lockCheckpoints,
  readUnsigned,
  readUnsignedFromOtherCluster,
  type LastCheckpoint,
} from '../../store/record/checkpoints.ts';

const maxEntries = 10_000;

export async function writeCheckpoints(
  db: Db,
  key: CheckpointKey,
  { signal, limit = maxEntries }: { signal?: AbortSignal | undefined; limit?: number } = {},
): Promise<number> {
  let written = 0;
  for (;;) {
    const step = await writeStep(db, key, limit);
    written += step.written;
    if (!step.more || signal?.aborted) return written;
  }
}

interface Step {
  written: number;
  more: boolean;
}

const nothing: Step = { written: 0, more: false };

const writeStep = (db: Db, key: CheckpointKey, limit: number): Promise<Step> =>
  inTransaction(db, async (tx) => {
    if (!(await lockCheckpoints(tx))) return nothing;
    const last = await findLastCheckpoint(tx);
    if (last?.fromOtherCluster) return signAfterAnotherCluster(tx, { last, key, limit });
    const { xid, id, afterId } = last ?? { xid: '0', id: 0, afterId: 0 };
    const unsigned = await readUnsigned(tx, { xid, id, afterId }, limit);
    if (!unsigned) return nothing;
    await insertCheckpoint(tx, signCheckpoint(last, unsigned, key), { ...unsigned.upTo, afterId });
    return { written: 1, more: unsigned.full };
  });

/**
 * The last checkpoint comes from another cluster, so its transaction id means nothing here. The new checkpoints record the oldest
 * transaction that is open now, and later ones continue from there. They are written in one transaction, because that position is
 * valid only after the last of them. Entries of later transactions may be signed twice, which is harmless.
 */
async function signAfterAnotherCluster(
  tx: Tx,
  { last, key, limit }: { last: LastCheckpoint; key: CheckpointKey; limit: number },
): Promise<Step> {
  const xid = await findSettledXid(tx);
  let previous: Pick<Checkpoint, 'number' | 'hash'> = last;
  let cursor = 0;
  for (let written = 0; ; written++) {
    const unsigned = await readUnsignedFromOtherCluster(tx, { last, cursor, limit });
    if (!unsigned) return { written, more: false };
    cursor = unsigned.upTo.id;
    const checkpoint = signCheckpoint(previous, unsigned, key);
    await insertCheckpoint(tx, checkpoint, { xid, id: Math.max(last.id, cursor), afterId: last.id });
    if (!unsigned.full) return { written: written + 1, more: false };
    previous = checkpoint;
  }
}
