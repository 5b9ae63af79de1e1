/**
 * Holds checkpoints against their signatures and each against the one before, and gathers what they say of the chains. Taken off
 * the end, they are missed by whoever kept a later one, and says so.
 */
import { verify, type KeyObject } from 'node:crypto';
import { keyId } from './checkpoint-key.ts';
import { hashCheckpoint, type Checkpoint, type Head } from './sign-checkpoint.ts';
import { addHead, type SignedChain } from './signed-chain.ts';

/** By chain. */
export type SignedChains = Map<string, SignedChain>;

/** One that somebody wrote down elsewhere. */
export type KeptCheckpoint = Pick<Checkpoint, 'number' | 'hash'>;

export interface BadCheckpoint {
  number: number;
  fault: string;
}

export interface CheckpointsVerdict {
  checkpoints: number;
  /** The last good one. */
  last: Pick<Checkpoint, 'number' | 'at' | 'hash'> | undefined;
  chains: SignedChains;
  bad: BadCheckpoint | undefined;
}

export const chainName = (chain: string, chainId: number): string => `${chain}/${chainId}`;

/** Checkpoints come in the order of their numbers. There may be several keys, as one follows another. */
export async function verifyCheckpoints(
  checkpoints: AsyncIterable<Checkpoint> | Iterable<Checkpoint>,
  publicKeys: readonly KeyObject[],
  kept: readonly KeptCheckpoint[] = [],
): Promise<CheckpointsVerdict> {
  const keys = new Map(publicKeys.map((key) => [keyId(key), key]));
  const verdict: CheckpointsVerdict = { checkpoints: 0, last: undefined, chains: new Map(), bad: undefined };
  for await (const checkpoint of checkpoints) {
    verdict.bad = faultOf(verdict.last, checkpoint, keys) ?? faultOfKept(checkpoint, kept);
    if (verdict.bad) return verdict;
    verdict.checkpoints++;
    const { number, at, hash } = checkpoint;
    verdict.last = { number, at, hash };
    gather(verdict.chains, checkpoint);
  }
  const missing = kept.find(({ number }) => number > verdict.checkpoints);
  verdict.bad = missing && {
    number: missing.number,
    fault: 'It was kept and is not there: checkpoints were removed from the end.',
  };
  return verdict;
}

function faultOfKept({ number, hash }: Checkpoint, kept: readonly KeptCheckpoint[]): BadCheckpoint | undefined {
  const isOther = kept.some((one) => one.number === number && one.hash !== hash);
  return isOther ? { number, fault: 'It is not the one that was kept: checkpoints were written anew.' } : undefined;
}

function faultOf(
  previous: KeptCheckpoint | undefined,
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

function gather(chains: SignedChains, { number, heads }: Checkpoint): void {
  for (const [chain, chainId, sequence, hash] of JSON.parse(heads) as Head[]) {
    const name = chainName(chain, chainId);
    chains.set(name, addHead(chains.get(name), { sequence, hash, checkpoint: number }));
  }
}
