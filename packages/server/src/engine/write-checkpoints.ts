/**
 * Signs what was added to the history since the last checkpoint. Each signs 10,000 entries at most; the first ones after an
 * upgrade follow each other until everything is signed.
 */
import type { CheckpointKey } from '../chain/checkpoint-key.ts';
import { signCheckpoint, type Checkpoint } from '../chain/sign-checkpoint.ts';
import type { Db, Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import {
  findLastCheckpoint,
  findSettledXid,
  insertCheckpoint,
  lockCheckpoints,
  readUnsigned,
  readUnsignedElsewhere,
  type LastCheckpoint,
} from '../store/checkpoints.ts';

const mostEntries = 10_000;

export async function writeCheckpoints(
  db: Db,
  key: CheckpointKey,
  { signal, limit = mostEntries }: { signal?: AbortSignal | undefined; limit?: number } = {},
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
    if (last?.elsewhere) return signAfterAnotherCluster(tx, { last, key, limit });
    const { xid, id, afterId } = last ?? { xid: '0', id: 0, afterId: 0 };
    const unsigned = await readUnsigned(tx, { xid, id, afterId }, limit);
    if (!unsigned) return nothing;
    await insertCheckpoint(tx, signCheckpoint(last, unsigned, key), { ...unsigned.upTo, afterId });
    return { written: 1, more: unsigned.full };
  });

/**
 * All of it in one transaction, as nothing but the last of these says where to go on: at the first transaction that was not
 * settled when this began. What is of later ones may be signed twice, which does no harm.
 */
async function signAfterAnotherCluster(
  tx: Tx,
  { last, key, limit }: { last: LastCheckpoint; key: CheckpointKey; limit: number },
): Promise<Step> {
  const xid = await findSettledXid(tx);
  let previous: Pick<Checkpoint, 'number' | 'hash'> = last;
  let cursor = 0;
  for (let written = 0; ; written++) {
    const unsigned = await readUnsignedElsewhere(tx, { last, cursor, limit });
    if (!unsigned) return { written, more: false };
    cursor = unsigned.upTo.id;
    const checkpoint = signCheckpoint(previous, unsigned, key);
    await insertCheckpoint(tx, checkpoint, { xid, id: Math.max(last.id, cursor), afterId: last.id });
    if (!unsigned.full) return { written: written + 1, more: false };
    previous = checkpoint;
  }
}
