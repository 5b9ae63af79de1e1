/**
 * Holds the history against its hashes and names the first entry that is not as it was written: changed, missing, put in
 * between, or in another's place. What is taken off the end of a chain, or written anew up to its end, fits in itself: only
 * a checkpoint tells.
 */
import { hashEntry, hashValues, type ChainedEntry, type PersonalValues } from './hash-entry.ts';

/** An entry with what stands beside the chain: null where there is none, or none any more. */
export interface KeptEntry extends ChainedEntry {
  values: PersonalValues | null;
  /** Of the person, as long as it is there. */
  key: string | null;
}

export interface Position {
  chain: string;
  chain_id: number;
  sequence: number;
}

export interface BadEntry extends Position {
  /** Of the entry that was found there; null where there is none. */
  id: number | null;
  fault: string;
}

export interface Verdict {
  /** How many were looked at, the bad one included. */
  entries: number;
  chains: number;
  /** Entries whose values were destroyed together with the key of their person. */
  erased: number;
  bad: BadEntry | undefined;
}

/** Entries come chain by chain, each chain in the order of its sequence. */
export async function verifyHistory(entries: AsyncIterable<KeptEntry> | Iterable<KeptEntry>): Promise<Verdict> {
  const verdict: Verdict = { entries: 0, chains: 0, erased: 0, bad: undefined };
  let last: KeptEntry | undefined;
  for await (const entry of entries) {
    const previous = last && isSameChain(last, entry) ? last : undefined;
    verdict.entries++;
    if (!previous) verdict.chains++;
    verdict.bad = faultOfPlace(previous, entry) ?? faultOfEntry(previous, entry);
    if (verdict.bad) return verdict;
    if (isErased(entry)) verdict.erased++;
    last = entry;
  }
  return verdict;
}

const isSameChain = (one: Position, other: Position) => one.chain === other.chain && one.chain_id === other.chain_id;

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

function faultOfValues(entry: KeptEntry): string | undefined {
  const { id, values, key, values_hash: hash } = entry;
  if (hash === null) return values === null ? undefined : 'The entry had no personal values.';
  if (isErased(entry)) return undefined;
  if (values === null) return 'The personal values are missing, and the key of the person is not.';
  if (key === null) return 'The key of the person is missing, and the personal values are not.';
  return hashValues(key, id, values) === hash ? undefined : 'The personal values are not those that were written.';
}

const isErased = ({ values_hash: hash, values, key }: KeptEntry) => hash !== null && values === null && key === null;
