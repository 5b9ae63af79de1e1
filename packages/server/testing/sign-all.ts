/** Signs the whole history, and waits until it is. Transactions of other databases hold checkpoints back, too. */
import { createPublicKey } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { CheckpointKey } from '../src/chain/checkpoint-key.ts';
import { verifyCheckpoints } from '../src/chain/verify-checkpoints.ts';
import { verifyHistory } from '../src/chain/verify-history.ts';
import type { Db } from '../src/database/connection.ts';
import { writeCheckpoints } from '../src/engine/write-checkpoints.ts';
import { readChains } from '../src/store/chained-history.ts';
import { readCheckpoints } from '../src/store/checkpoints.ts';

/** Another test may fill its tables in one long transaction meanwhile. `expect.poll` would do, but not in hooks. */
export const patienceMs = 300_000;

export async function verifySigned(db: Db, key: CheckpointKey) {
  const signed = await verifyCheckpoints(readCheckpoints(db), [createPublicKey(key.privateKey)]);
  return { signed, history: await verifyHistory(readChains(db), signed.chains) };
}

export const signAll = (db: Db, key: CheckpointKey): Promise<void> =>
  vi.waitFor(
    async () => {
      await writeCheckpoints(db, key);
      expect((await verifySigned(db, key)).history.unsigned).toBe(0);
    },
    { interval: 20, timeout: patienceMs },
  );
