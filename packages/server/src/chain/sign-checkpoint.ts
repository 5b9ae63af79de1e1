/** Signs the last entries of chains, together with the hash of the previous checkpoint. */
import { createHash, sign } from 'node:crypto';
import type { CheckpointKey } from './checkpoint-key.ts';
import { arrayText } from './hash-entry.ts';

/** The last entry of a chain. */
export type Head = readonly [chain: string, chainId: number, sequence: number, hash: string];

export interface Checkpoint {
  /** Starts at 1, without gaps. */
  number: number;
  /** `2026-11-15T08:30:00.120Z` */
  at: string;
  /** The heads that changed since the previous checkpoint, as JSON text. */
  heads: string;
  key_id: string;
  hash: string;
  signature: string;
}

type Unsigned = Pick<Checkpoint, 'number' | 'at' | 'heads' | 'key_id'>;

/** `previous` is the hash of the previous checkpoint, or null for the first. */
export const hashCheckpoint = (previous: string | null, { number, at, heads, key_id }: Unsigned): string =>
  createHash('sha256')
    .update(arrayText([previous, number, at, key_id, heads]))
    .digest('hex');

export function signCheckpoint(
  previous: Pick<Checkpoint, 'number' | 'hash'> | undefined,
  { at, heads }: { at: string; heads: readonly Head[] },
  key: CheckpointKey,
): Checkpoint {
  const unsigned = { number: (previous?.number ?? 0) + 1, at, heads: JSON.stringify(heads), key_id: key.id };
  const hash = hashCheckpoint(previous?.hash ?? null, unsigned);
  const signature = sign(null, Buffer.from(hash, 'hex'), key.privateKey).toString('hex');
  return { ...unsigned, hash, signature };
}
