/**
 * Holds the history against its hashes and names the first entry that is not as it was written: changed, missing, put in
 * between, or in another's place. What is taken off the end of a chain, or written anew up to its end, fits in itself: only
 * a checkpoint tells, so what came after the last one is not sure yet.
 */
import { hashEntry, hashValues } from './hash-entry.ts';
import { isSameChain, type BadEntry, type KeptEntry, type Position } from './kept-entry.ts';
import { followChain, type Follower, type SignedHead } from './signed-chain.ts';
import { chainName, type SignedChains } from './verify-checkpoints.ts';
import { isGone, watchErasures, type RecordedErasure } from './watch-erasures.ts';

export type { BadEntry, KeptEntry, Position };

export interface Verdict {
  /** How many were looked at, the bad one included. */
  entries: number;
  chains: number;
  /** Entries whose values were destroyed. */
  erased: number;
  /** What the history tells of that. */
  erasures: RecordedErasure[];
  /** Entries that came after the last checkpoint of their chain. */
  unsigned: number;
  bad: BadEntry | undefined;
}

/** Entries come chain by chain, each chain in the order of its sequence; `signed` is what checkpoints say of them. */
export async function verifyHistory(
  entries: AsyncIterable<KeptEntry> | Iterable<KeptEntry>,
  signed: SignedChains = new Map(),
): Promise<Verdict> {
  const watch = watchErasures();
  const { erasures } = watch;
  const verdict: Verdict = { entries: 0, chains: 0, erased: 0, erasures, unsigned: 0, bad: undefined };
  const unseen = new Map(signed);
  let follower = followChain(undefined);
  let last: KeptEntry | undefined;
  for await (const entry of entries) {
    const previous = last && isSameChain(last, entry) ? last : undefined;
    if (!previous) {
      verdict.bad = watch.endChain() ?? faultOfEnd(last, follower);
      if (verdict.bad) return verdict;
      follower = followChain(unseen.get(nameOf(entry)));
      unseen.delete(nameOf(entry));
      verdict.chains++;
    }
    verdict.entries++;
    verdict.bad =
      faultOfPlace(previous, entry) ??
      faultOfEntry(previous, entry) ??
      faultOfSigned(entry, follower) ??
      watch.see(entry);
    if (verdict.bad) return verdict;
    if (isGone(entry)) verdict.erased++;
    if (!follower.isSigned(entry)) verdict.unsigned++;
    last = entry;
  }
  verdict.bad = watch.endChain() ?? faultOfEnd(last, follower) ?? watch.end() ?? faultOfUnseen(unseen);
  return verdict;
}

const nameOf = ({ chain, chain_id }: Position) => chainName(chain, chain_id);

const bad = ({ chain, chain_id, sequence }: Position, id: number | null, fault: string): BadEntry => ({
  chain,
  chain_id,
  sequence,
  id,
  fault,
});

function faultOfPlace(previous: KeptEntry | undefined, entry: KeptEntry): BadEntry | undefined {
  const sequence = (previous?.sequence ?? 0) + 1;
  if (entry.sequence === sequence) return undefined;
  if (entry.sequence > sequence) return bad({ ...entry, sequence }, null, 'The entry is missing.');
  return bad(entry, entry.id, 'The place is taken already by another entry.');
}

function faultOfEntry(previous: KeptEntry | undefined, entry: KeptEntry): BadEntry | undefined {
  if (hashEntry(previous?.hash ?? null, entry) !== entry.hash) {
    return bad(entry, entry.id, 'The entry is not the one that was written here after the one before it.');
  }
  const fault = faultOfValues(entry);
  return fault === undefined ? undefined : bad(entry, entry.id, fault);
}

function faultOfSigned(entry: KeptEntry, follower: Follower): BadEntry | undefined {
  const fault = follower.see(entry);
  return fault === undefined ? undefined : bad(entry, entry.id, fault);
}

/** Where a chain ends before what was signed. */
function faultOfEnd(last: KeptEntry | undefined, follower: Follower): BadEntry | undefined {
  const head = follower.missing();
  if (!last || !head) return undefined;
  return bad({ ...last, sequence: last.sequence + 1 }, null, cutOff(head));
}

function faultOfUnseen(unseen: SignedChains): BadEntry | undefined {
  const [first] = unseen;
  if (!first) return undefined;
  const [chain = '', id] = first[0].split('/');
  return bad({ chain, chain_id: Number(id), sequence: 1 }, null, cutOff(first[1].last));
}

const cutOff = ({ checkpoint, sequence }: SignedHead) =>
  `The entry is missing: checkpoint ${checkpoint} signed this chain up to its entry ${sequence}.`;

function faultOfValues(entry: KeptEntry): string | undefined {
  const { id, values, key, values_hash: hash } = entry;
  if (hash === null) return values === null ? undefined : 'The entry had no personal values.';
  // Whether they may be gone is seen when all of the chain has been read.
  if (values === null) return undefined;
  if (key === null) return 'The key of the person is missing, and the personal values are not.';
  return hashValues(key, id, values) === hash ? undefined : 'The personal values are not those that were written.';
}
