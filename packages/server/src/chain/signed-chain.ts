/**
 * What checkpoints signed of one chain, in little memory. A chain can be signed once a minute for years, so only the last head,
 * the positions of all heads and one hash over all heads are held. The last head alone is not enough: after a chain is
 * rewritten and continued, the next checkpoint signs its new end.
 */
import { createHash } from 'node:crypto';
import type { Position } from './stored-entry.ts';

export interface SignedHead {
  sequence: number;
  hash: string;
  /** The number of the checkpoint that signed it. */
  checkpoint: number;
}

export interface SignedChain {
  /** Of all heads except late ones, ascending. */
  sequences: number[];
  /** A hash over the hashes of these heads. */
  seal: string;
  /** The head with the highest sequence. */
  last: SignedHead;
  /** Heads signed after a head with a higher sequence, because a transaction that started earlier committed later. Rare. */
  late: SignedHead[];
}

const sealWith = (seal: string, hash: string): string => createHash('sha256').update(seal).update(hash).digest('hex');

export function addHead(known: SignedChain | undefined, head: SignedHead): SignedChain {
  if (!known) return { sequences: [head.sequence], seal: sealWith('', head.hash), last: head, late: [] };
  if (head.sequence <= known.last.sequence) {
    known.late.push(head);
    return known;
  }
  known.sequences.push(head.sequence);
  known.seal = sealWith(known.seal, head.hash);
  known.last = head;
  return known;
}

type Entry = Pick<Position, 'sequence'> & { hash: string };

export interface ChainVerifier {
  /** Takes the entries in order. Returns a fault of this entry or of an earlier one. */
  verify: (entry: Entry) => string | undefined;
  isSigned: (entry: Entry) => boolean;
  /** Called at the end of the chain. Returns the last signed head if the chain ends before it. */
  missing: () => SignedHead | undefined;
}

/** Compares a chain with its signed heads. */
export function createChainVerifier(signed: SignedChain | undefined): ChainVerifier {
  const { sequences = [], late = [], last } = signed ?? {};
  let matched = 0;
  let seal = '';
  return {
    verify(entry) {
      const other = late.find(({ sequence, hash }) => sequence === entry.sequence && hash !== entry.hash);
      if (other) return differsFromSigned(other);
      if (sequences[matched] !== entry.sequence) return undefined;
      matched++;
      seal = sealWith(seal, entry.hash);
      if (!last || matched < sequences.length || seal === signed?.seal) return undefined;
      return last.hash === entry.hash ? rewrittenBefore(last) : differsFromSigned(last);
    },
    isSigned: ({ sequence }) => last !== undefined && sequence <= last.sequence,
    missing: () => (matched < sequences.length ? last : undefined),
  };
}

const differsFromSigned = ({ checkpoint }: SignedHead) =>
  `The entry differs from the one that checkpoint ${checkpoint} signed. It or an earlier entry was rewritten.`;

const rewrittenBefore = ({ checkpoint }: SignedHead) =>
  `An earlier entry differs from the signed one. The chain was rewritten before checkpoint ${checkpoint}.`;
