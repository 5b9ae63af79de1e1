/**
 * Checks that missing personal values were erased on record. An erasure appends an entry to the chain of the subject and of
 * each of its experiments. Entries before it in these chains have no personal values. In other chains, such as that of an
 * experiment that moved to another subject, values can be missing together with the key of a subject whose own chain records
 * an erasure. Any other missing value is a fault.
 */
import type { BadEntry, StoredEntry } from './stored-entry.ts';

/** An erasure that the history records. */
export interface RecordedErasure {
  subjectId: number;
  at: string;
  /** The position of the entry in the subject's chain. */
  sequence: number;
}

export interface ErasureWatch {
  /** Takes the entries in order. Returns a fault of this entry or of an earlier one of its chain. */
  see: (entry: StoredEntry) => BadEntry | undefined;
  endChain: () => BadEntry | undefined;
  /** Called after the last chain. */
  end: () => BadEntry | undefined;
  erasures: RecordedErasure[];
}

export const isErased = ({ values_hash: hash, values }: StoredEntry): boolean => hash !== null && values === null;

const isErasure = ({ operation, object_kind: kind, chain }: StoredEntry) =>
  operation === 'eraseSubject' && kind === chain;

const personOf = ({ person, person_id: id }: StoredEntry) => `${person} ${id}`;

const faultOf = ({ chain, chain_id, sequence, id }: StoredEntry, fault: string): BadEntry => ({
  chain,
  chain_id,
  sequence,
  id,
  fault,
});

export function watchErasures(): ErasureWatch {
  const erasures: RecordedErasure[] = [];
  /** The first entry of the current chain with values, without values but with a key, and without both by person. */
  let withValues: StoredEntry | undefined;
  let withKey: StoredEntry | undefined;
  let erased = new Map<string, StoredEntry>();
  /** Erased entries of all chains for which the subject's chain must record an erasure. */
  const unexplained = new Map<string, StoredEntry>();
  const resetChain = () => {
    [withValues, withKey, erased] = [undefined, undefined, new Map()];
  };
  const erase = (entry: StoredEntry) => {
    const remaining = withValues;
    resetChain();
    const { chain, chain_id: subjectId, at, sequence } = entry;
    if (chain === 'subject') erasures.push({ subjectId, at, sequence });
    return (
      remaining &&
      faultOf(remaining, `Entry ${sequence} of this chain records an erasure, but the personal values still exist.`)
    );
  };
  return {
    erasures,
    see(entry) {
      if (isErasure(entry)) return erase(entry);
      if (entry.values !== null) withValues ??= entry;
      if (isErased(entry) && entry.key !== null) withKey ??= entry;
      if (isErased(entry) && entry.key === null && !erased.has(personOf(entry))) erased.set(personOf(entry), entry);
      return undefined;
    },
    endChain() {
      for (const [person, entry] of erased) if (!unexplained.has(person)) unexplained.set(person, entry);
      const bad = withKey && faultOf(withKey, 'The personal values are missing, but their key still exists.');
      resetChain();
      return bad;
    },
    end() {
      for (const { subjectId } of erasures) unexplained.delete(`subject ${subjectId}`);
      const [first] = unexplained;
      return (
        first &&
        faultOf(
          first[1],
          `The personal values and the key of ${first[0]} are missing, but no entry records an erasure.`,
        )
      );
    },
  };
}
