/** Verifies the history if a user requested it. One worker at a time does so and reports its progress. */
import { createPublicKey } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CheckpointKey } from '../../chain/checkpoint-key.ts';
import type { Db } from '../../database/connection.ts';
import { isTemporary } from '../../database/problem-from-database.ts';
import {
  claimVerification,
  failVerification,
  finishVerification,
  releaseVerification,
  saveProgress,
  type VerificationClaim,
} from '../../store/record/verifications.ts';
import { faultsOf, verifyStoredHistory } from './verify-stored-history.ts';

const progressEveryMs = 2000;
const retryMs = 500;

/** Returns whether it finished a verification. */
export async function runVerification(db: Db, key: CheckpointKey | undefined, signal?: AbortSignal): Promise<boolean> {
  const claim = await claimVerification(db, { hasKey: key !== undefined });
  if (!claim) return false;
  try {
    return await finishVerification(db, claim, await verify(db, claim, { key, signal }));
  } catch (error) {
    if (!signal?.aborted) {
      await endAttempt(db, claim, error, signal);
      throw error;
    }
    await releaseVerification(db, claim);
    return false;
  }
}

/** The message of the error can contain personal values, so only the log has it. */
const failed = 'An unexpected error occurred. See the log of the worker.';

async function endAttempt(db: Db, claim: VerificationClaim, error: unknown, signal?: AbortSignal): Promise<void> {
  const end = () => (isTemporary(error) ? releaseVerification(db, claim) : failVerification(db, claim, failed));
  await untilAvailable(end, signal);
}

/** A connection that broke a moment ago can break another statement. If the worker stops, the attempt counts as lost after a minute. */
async function untilAvailable(write: () => Promise<unknown>, signal?: AbortSignal): Promise<void> {
  const isStopped = () => signal?.aborted === true;
  while (!isStopped()) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isTemporary(error)) return;
      await pause(retryMs, undefined, signal && { signal }).catch(() => undefined);
    }
  }
}

interface Progress {
  count: () => void;
  /** Resolves when the last report was written. */
  stop: () => Promise<void>;
}

/** By a timer, because some phases read no entries. */
function reportProgress(db: Db, claim: VerificationClaim): Progress {
  let entries = 0;
  let writing: Promise<unknown> | undefined;
  const report = () => {
    writing ??= saveProgress(db, claim, entries)
      .catch(() => undefined)
      .finally(() => (writing = undefined));
  };
  const timer = setInterval(report, progressEveryMs);
  return {
    count: () => void entries++,
    stop: async () => {
      clearInterval(timer);
      await writing;
    },
  };
}

interface Options {
  key: CheckpointKey | undefined;
  signal: AbortSignal | undefined;
}

async function verify(db: Db, claim: VerificationClaim, { key, signal }: Options) {
  const keys = key ? [createPublicKey(key.privateKey)] : [];
  const progress = reportProgress(db, claim);
  try {
    const result = await verifyStoredHistory(db, { keys, onEntry: progress.count, signal });
    const [fault = null] = faultsOf(result);
    return { entries: result.history.entries, checkpoints: result.signed.checkpoints, fault };
  } finally {
    await progress.stop();
  }
}
