/**
 * Verifies the signatures of checkpoints and their order, and collects the chain heads they signed. Checkpoints that were
 * removed from the end are only detected if you pass a later checkpoint that you saved.
 */
import { verify, type KeyObject } from 'node:crypto';
import { keyId } from './checkpoint-key.ts';
import { hashCheckpoint, type Checkpoint, type Head } from './sign-checkpoint.ts';
import { addHead, type SignedChain } from './signed-chain.ts';

/** By `chainName`. */
export type SignedChains = Map<string, SignedChain>;

/** A checkpoint that was saved outside the database. */
export type KnownCheckpoint = Pick<Checkpoint, 'number' | 'hash'>;

export interface BadCheckpoint {
  number: number;
  fault: string;
}

export interface CheckpointsVerdict {
  checkpoints: number;
  /** The last valid checkpoint. */
  last: Pick<Checkpoint, 'number' | 'at' | 'hash'> | undefined;
  chains: SignedChains;
  bad: BadCheckpoint | undefined;
}

export const chainName = (chain: string, chainId: number): string => `${chain}/${chainId}`;

/** Takes the checkpoints in order. There are several public keys if the key was replaced. */
export async function verifyCheckpoints(
  checkpoints: AsyncIterable<Checkpoint> | Iterable<Checkpoint>,
  publicKeys: readonly KeyObject[],
  known: readonly KnownCheckpoint[] = [],
): Promise<CheckpointsVerdict> {
  const keys = new Map(publicKeys.map((key) => [keyId(key), key]));
  const verdict: CheckpointsVerdict = { checkpoints: 0, last: undefined, chains: new Map(), bad: undefined };
  for await (const checkpoint of checkpoints) {
    verdict.bad = faultOf(verdict.last, checkpoint, keys) ?? faultOfKnown(checkpoint, known);
    if (verdict.bad) return verdict;
    verdict.checkpoints++;
    const { number, at, hash } = checkpoint;
    verdict.last = { number, at, hash };
    collectHeads(verdict.chains, checkpoint);
  }
  const missing = known.find(({ number }) => number > verdict.checkpoints);
  verdict.bad = missing && {
    number: missing.number,
    fault: 'This known checkpoint is missing. Checkpoints were removed from the end.',
  };
  return verdict;
}

function faultOfKnown({ number, hash }: Checkpoint, known: readonly KnownCheckpoint[]): BadCheckpoint | undefined {
  const differs = known.some((one) => one.number === number && one.hash !== hash);
  return differs
    ? { number, fault: 'The checkpoint differs from the known one. Checkpoints were rewritten.' }
    : undefined;
}

function faultOf(
  previous: KnownCheckpoint | undefined,
  checkpoint: Checkpoint,
  keys: ReadonlyMap<string, KeyObject>,
): BadCheckpoint | undefined {
  const number = (previous?.number ?? 0) + 1;
  if (checkpoint.number !== number) return { number, fault: 'The checkpoint is missing.' };
  const key = keys.get(checkpoint.key_id);
  if (!key) return { number, fault: `The checkpoint was signed with an unknown key, ${checkpoint.key_id}.` };
  const { hash, signature } = checkpoint;
  const isValid =
    hashCheckpoint(previous?.hash ?? null, checkpoint) === hash &&
    verify(null, Buffer.from(hash, 'hex'), key, Buffer.from(signature, 'hex'));
  return isValid ? undefined : { number, fault: 'The checkpoint was changed after it was signed.' };
}

function collectHeads(chains: SignedChains, { number, heads }: Checkpoint): void {
  for (const [chain, chainId, sequence, hash] of JSON.parse(heads) as Head[]) {
    const name = chainName(chain, chainId);
    chains.set(name, addHead(chains.get(name), { sequence, hash, checkpoint: number }));
  }
}
