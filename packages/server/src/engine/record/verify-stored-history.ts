/** Verifies the history in the database, and that each experiment is in the state with which its history ends. */
import type { KeyObject } from 'node:crypto';
import { verifyCheckpoints, type KnownCheckpoint } from '../../chain/verify-checkpoints.ts';
import type { VerificationResult } from '../../chain/verify-export.ts';
import { verifyHistory } from '../../chain/verify-history.ts';
import type { Db } from '../../database/connection.ts';
import { findStateMismatch, readChains } from '../../store/record/chained-history.ts';
import { readCheckpoints } from '../../store/record/checkpoints.ts';

interface Options {
  keys: readonly KeyObject[];
  /** Checkpoints that were saved outside the database. */
  kept?: readonly KnownCheckpoint[] | undefined;
  /** Called before each entry. */
  onEntry?: () => void;
  signal?: AbortSignal | undefined;
}

export async function verifyStoredHistory(
  db: Db,
  { keys, kept, onEntry = () => undefined, signal }: Options,
): Promise<VerificationResult> {
  const proceed = () => signal?.throwIfAborted();
  const signed = await verifyCheckpoints(watched(readCheckpoints(db), proceed), keys, kept);
  const counted = watched(readChains(db), () => {
    proceed();
    onEntry();
  });
  const history = await verifyHistory(counted, signed.chains);
  const stray = await findStateMismatch(db, proceed);
  const fault =
    stray &&
    `Experiment ${stray.id} is in state ${stray.state_id}, but its history ends in state ${stray.recorded ?? 'none'}.`;
  return { signed, history, fault };
}

async function* watched<T>(items: AsyncIterable<T>, onItem: () => void) {
  for await (const item of items) {
    onItem();
    yield item;
  }
}

export function faultsOf({ signed, history: { bad }, fault }: VerificationResult): string[] {
  const entry =
    bad && `Entry ${bad.sequence} of ${bad.chain} ${bad.chain_id}${bad.id === null ? '' : ` (id ${bad.id})`}`;
  return [
    ...(signed.bad ? [`Checkpoint ${signed.bad.number}: ${signed.bad.fault}`] : []),
    ...(bad ? [`${entry}: ${bad.fault}`] : []),
    ...(fault === undefined ? [] : [fault]),
  ];
}
