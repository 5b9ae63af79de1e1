/**
 * What checkpoints say of one chain, in little room: a chain is signed anew with every minute in which it went on, for years.
 * The last head is kept, and of all of them the places and one hash over what was signed there. The last head alone would not
 * do: whoever writes a chain anew and lets it go on has its end signed by the next checkpoint, but not what stood there before.
 */
import { createHash } from 'node:crypto';
import type { Position } from './kept-entry.ts';

export interface SignedHead {
  sequence: number;
  hash: string;
  /** The number of the checkpoint. */
  checkpoint: number;
}

export interface SignedChain {
  /** Of all heads, upwards. */
  sequences: number[];
  /** Over their hashes. */
  seal: string;
  /** The one that is farthest. */
  last: SignedHead;
  /** Signed after one that is farther: of two writers the one that began first may have come second. They are few. */
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

export interface Follower {
  /** Entries come in their order; the fault is of this one or of one before it. */
  see: (entry: Entry) => string | undefined;
  isSigned: (entry: Entry) => boolean;
  /** When the chain has been read: how far it should have come, if it did not. */
  missing: () => SignedHead | undefined;
}

/** Holds a chain against what was signed of it. */
export function followChain(signed: SignedChain | undefined): Follower {
  const { sequences = [], late = [], last } = signed ?? {};
  let met = 0;
  let seal = '';
  return {
    see(entry) {
      const other = late.find(({ sequence, hash }) => sequence === entry.sequence && hash !== entry.hash);
      if (other) return notSigned(other);
      if (sequences[met] !== entry.sequence) return undefined;
      met++;
      seal = sealWith(seal, entry.hash);
      if (!last || met < sequences.length || seal === signed?.seal) return undefined;
      return last.hash === entry.hash ? writtenAnew(last) : notSigned(last);
    },
    isSigned: ({ sequence }) => last !== undefined && sequence <= last.sequence,
    missing: () => (met < sequences.length ? last : undefined),
  };
}

const notSigned = ({ checkpoint }: SignedHead) =>
  `The entry is not the one that checkpoint ${checkpoint} signed: it or one before it was written anew.`;

const writtenAnew = ({ checkpoint }: SignedHead) =>
  `An entry before it is not the one that was signed: the chain was written anew before checkpoint ${checkpoint}.`;
