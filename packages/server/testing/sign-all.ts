/** Signs the whole history. This can take a while, because open transactions of other databases delay checkpoints. */
import { createPublicKey } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { CheckpointKey } from '../src/chain/checkpoint-key.ts';
import { verifyCheckpoints } from '../src/chain/verify-checkpoints.ts';
import { verifyHistory } from '../src/chain/verify-history.ts';
import type { Db } from '../src/database/connection.ts';
import { writeCheckpoints } from '../src/engine/record/write-checkpoints.ts';
import { readChains } from '../src/store/record/chained-history.ts';
import { readCheckpoints } from '../src/store/record/checkpoints.ts';
import { hangLimitMs } from './hang-limit.ts';

export async function verifySigned(db: Db, key: CheckpointKey) {
  const signed = await verifyCheckpoints(readCheckpoints(db), [createPublicKey(key.privateKey)]);
  return { signed, history: await verifyHistory(readChains(db), signed.chains) };
}

/** `expect.poll` would be simpler, but does not work in hooks. */
export const signAll = (db: Db, key: CheckpointKey): Promise<void> =>
  vi.waitFor(
    async () => {
      await writeCheckpoints(db, key);
      expect((await verifySigned(db, key)).history.unsigned).toBe(0);
    },
    { interval: 20, timeout: hangLimitMs },
  );
