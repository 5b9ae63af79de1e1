/**
 * Holds checkpoints against their signatures and each against the one before, and gathers what they say of the chains. Taken off
 * the end, they are missed by whoever kept a later one.
 */
import { verify, type KeyObject } from 'node:crypto';
import { keyId } from './checkpoint-key.ts';
import { hashCheckpoint, type Checkpoint, type Head } from './sign-checkpoint.ts';

/** What a checkpoint says of a chain. */
export interface SignedHead {
  sequence: number;
  hash: string;
  /** The number of the checkpoint. */
  checkpoint: number;
}

/** By chain, in the order of the checkpoints. */
export type SignedHeads = Map<string, SignedHead[]>;

export interface BadCheckpoint {
  number: number;
  fault: string;
}

export interface CheckpointsVerdict {
  checkpoints: number;
  /** When the last good one was signed. */
  lastAt: string | undefined;
  heads: SignedHeads;
  bad: BadCheckpoint | undefined;
}

export const chainName = (chain: string, chainId: number): string => `${chain}/${chainId}`;

/** Checkpoints come in the order of their numbers. */
export async function verifyCheckpoints(
  checkpoints: AsyncIterable<Checkpoint> | Iterable<Checkpoint>,
  publicKeys: readonly KeyObject[],
): Promise<CheckpointsVerdict> {
  const keys = new Map(publicKeys.map((key) => [keyId(key), key]));
  const verdict: CheckpointsVerdict = { checkpoints: 0, lastAt: undefined, heads: new Map(), bad: undefined };
  let previous: Checkpoint | undefined;
  for await (const checkpoint of checkpoints) {
    verdict.bad = faultOf(previous, checkpoint, keys);
    if (verdict.bad) return verdict;
    verdict.checkpoints++;
    verdict.lastAt = checkpoint.at;
    gather(verdict.heads, checkpoint);
    previous = checkpoint;
  }
  return verdict;
}

function faultOf(
  previous: Checkpoint | undefined,
  checkpoint: Checkpoint,
  keys: ReadonlyMap<string, KeyObject>,
): BadCheckpoint | undefined {
  const number = (previous?.number ?? 0) + 1;
  if (checkpoint.number !== number) return { number, fault: 'The checkpoint is missing.' };
  const key = keys.get(checkpoint.key_id);
  if (!key) return { number, fault: `It was signed with another key, ${checkpoint.key_id}.` };
  const { hash, signature } = checkpoint;
  const isWhole =
    hashCheckpoint(previous?.hash ?? null, checkpoint) === hash &&
    verify(null, Buffer.from(hash, 'hex'), key, Buffer.from(signature, 'hex'));
  return isWhole ? undefined : { number, fault: 'The checkpoint is not the one that was signed.' };
}

function gather(heads: SignedHeads, { number, heads: text }: Checkpoint): void {
  for (const [chain, chainId, sequence, hash] of JSON.parse(text) as Head[]) {
    const name = chainName(chain, chainId);
    const known = heads.get(name) ?? [];
    known.push({ sequence, hash, checkpoint: number });
    heads.set(name, known);
  }
}
