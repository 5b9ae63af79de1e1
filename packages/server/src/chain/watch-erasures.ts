/**
 * Whether values that are gone were erased on record. An erasure writes an entry at the end of the chain of the subject and of
 * each of its experiments: before it no values are left in that chain, and with it those that are gone are accounted for.
 * Elsewhere (an experiment that had gone to another subject) values may be gone together with the key of a subject whose own
 * chain has such an entry. Everything else was destroyed by somebody who does not say so.
 */
import type { BadEntry, KeptEntry } from './kept-entry.ts';

/** An erasure that the history tells of. */
export interface RecordedErasure {
  subjectId: number;
  at: string;
  /** Of the entry, in the chain of the subject. */
  sequence: number;
}

export interface ErasureWatch {
  /** Entries come as they are verified; the fault is of this entry, or of one before it in its chain. */
  see: (entry: KeptEntry) => BadEntry | undefined;
  endChain: () => BadEntry | undefined;
  /** When every chain has been seen. */
  end: () => BadEntry | undefined;
  erasures: RecordedErasure[];
}

export const isGone = ({ values_hash: hash, values }: KeptEntry): boolean => hash !== null && values === null;

const isErasure = ({ operation, object_kind: kind, chain }: KeptEntry) =>
  operation === 'eraseSubject' && kind === chain;

const personOf = ({ person, person_id: id }: KeptEntry) => `${person} ${id}`;

const faultOf = ({ chain, chain_id, sequence, id }: KeptEntry, fault: string): BadEntry => ({
  chain,
  chain_id,
  sequence,
  id,
  fault,
});

export function watchErasures(): ErasureWatch {
  const erasures: RecordedErasure[] = [];
  /** Of the chain that is read: the first entry with values, and by person the first without them and without a key. */
  let whole: KeptEntry | undefined;
  let withKey: KeptEntry | undefined;
  let gone = new Map<string, KeptEntry>();
  /** Of all chains: those that the subject's own chain must tell of. */
  const untold = new Map<string, KeptEntry>();
  const forgetChain = () => {
    [whole, withKey, gone] = [undefined, undefined, new Map()];
  };
  const erase = (entry: KeptEntry) => {
    const left = whole;
    forgetChain();
    const { chain, chain_id: subjectId, at, sequence } = entry;
    if (chain === 'subject') erasures.push({ subjectId, at, sequence });
    return (
      left && faultOf(left, `It was erased by entry ${sequence} of this chain, and the personal values are there.`)
    );
  };
  return {
    erasures,
    see(entry) {
      if (isErasure(entry)) return erase(entry);
      if (entry.values !== null) whole ??= entry;
      if (isGone(entry) && entry.key !== null) withKey ??= entry;
      if (isGone(entry) && entry.key === null && !gone.has(personOf(entry))) gone.set(personOf(entry), entry);
      return undefined;
    },
    endChain() {
      for (const [person, entry] of gone) if (!untold.has(person)) untold.set(person, entry);
      const bad = withKey && faultOf(withKey, 'The personal values are missing, and the key of the person is not.');
      forgetChain();
      return bad;
    },
    end() {
      for (const { subjectId } of erasures) untold.delete(`subject ${subjectId}`);
      const [first] = untold;
      return (
        first &&
        faultOf(first[1], `The personal values and the key of ${first[0]} are gone, and no entry tells of an erasure.`)
      );
    },
  };
}
