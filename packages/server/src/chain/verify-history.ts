/**
 * Verifies the hashes of the history and finds the first entry that was changed, removed, inserted or moved. A chain that was
 * cut off or rewritten up to its end is consistent in itself. Only a checkpoint reveals that, so entries after the last
 * checkpoint are not proven yet.
 */
import { hashEntry, hashValues } from './hash-entry.ts';
import { isSameChain, type BadEntry, type StoredEntry, type Position } from './stored-entry.ts';
import { createChainVerifier, type ChainVerifier, type SignedHead } from './signed-chain.ts';
import { chainName, type SignedChains } from './verify-checkpoints.ts';
import { isErased, watchErasures, type RecordedErasure } from './watch-erasures.ts';

export type { BadEntry, StoredEntry, Position };

export interface Verdict {
  /** The number of entries read, including a bad one. */
  entries: number;
  chains: number;
  /** Entries whose values were destroyed. */
  erased: number;
  /** The erasures that the history records. */
  erasures: RecordedErasure[];
  /** Entries newer than the last checkpoint of their chain. */
  unsigned: number;
  bad: BadEntry | undefined;
}

/** Takes entries chain by chain, ordered by sequence. `signed` holds the heads that checkpoints signed. */
export async function verifyHistory(
  entries: AsyncIterable<StoredEntry> | Iterable<StoredEntry>,
  signed: SignedChains = new Map(),
): Promise<Verdict> {
  const watch = watchErasures();
  const { erasures } = watch;
  const verdict: Verdict = { entries: 0, chains: 0, erased: 0, erasures, unsigned: 0, bad: undefined };
  const unseen = new Map(signed);
  let verifier = createChainVerifier(undefined);
  let last: StoredEntry | undefined;
  for await (const entry of entries) {
    const previous = last && isSameChain(last, entry) ? last : undefined;
    if (!previous) {
      verdict.bad = watch.endChain() ?? faultOfEnd(last, verifier);
      if (verdict.bad) return verdict;
      verifier = createChainVerifier(unseen.get(nameOf(entry)));
      unseen.delete(nameOf(entry));
      verdict.chains++;
    }
    verdict.entries++;
    verdict.bad =
      faultOfPosition(previous, entry) ??
      faultOfEntry(previous, entry) ??
      faultOfSigned(entry, verifier) ??
      watch.see(entry);
    if (verdict.bad) return verdict;
    if (isErased(entry)) verdict.erased++;
    if (!verifier.isSigned(entry)) verdict.unsigned++;
    last = entry;
  }
  verdict.bad = watch.endChain() ?? faultOfEnd(last, verifier) ?? watch.end() ?? faultOfUnseen(unseen);
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

function faultOfPosition(previous: StoredEntry | undefined, entry: StoredEntry): BadEntry | undefined {
  const sequence = (previous?.sequence ?? 0) + 1;
  if (entry.sequence === sequence) return undefined;
  if (entry.sequence > sequence) return bad({ ...entry, sequence }, null, 'The entry is missing.');
  return bad(entry, entry.id, 'Another entry already has this position.');
}

function faultOfEntry(previous: StoredEntry | undefined, entry: StoredEntry): BadEntry | undefined {
  if (hashEntry(previous?.hash ?? null, entry) !== entry.hash) {
    return bad(entry, entry.id, 'The entry does not match its hash. It was changed, inserted or moved.');
  }
  const fault = faultOfValues(entry);
  return fault === undefined ? undefined : bad(entry, entry.id, fault);
}

function faultOfSigned(entry: StoredEntry, verifier: ChainVerifier): BadEntry | undefined {
  const fault = verifier.verify(entry);
  return fault === undefined ? undefined : bad(entry, entry.id, fault);
}

/** A fault if the chain ends before its last signed entry. */
function faultOfEnd(last: StoredEntry | undefined, verifier: ChainVerifier): BadEntry | undefined {
  const head = verifier.missing();
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
  `The entry is missing. Checkpoint ${checkpoint} signed this chain up to entry ${sequence}.`;

function faultOfValues(entry: StoredEntry): string | undefined {
  const { id, values, key, values_hash: hash } = entry;
  if (hash === null) return values === null ? undefined : 'Personal values were added to an entry that had none.';
  // watchErasures checks whether the values were erased on record.
  if (values === null) return undefined;
  if (key === null) return 'The entry still has personal values, but their key is missing.';
  return hashValues(key, id, values) === hash ? undefined : 'The personal values were changed.';
}
