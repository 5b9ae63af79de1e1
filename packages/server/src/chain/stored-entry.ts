/** History entries as verification reads them, and the faults it finds. */
import type { ChainedEntry, PersonalValues } from './hash-entry.ts';

/** An entry with its personal values. They are null if it never had any or they were erased. */
export interface StoredEntry extends ChainedEntry {
  values: PersonalValues | null;
  /** The person's key. Null if there is none or it was destroyed. */
  key: string | null;
}

export interface Position {
  chain: string;
  chain_id: number;
  sequence: number;
}

export const isSameChain = (one: Position, other: Position): boolean =>
  one.chain === other.chain && one.chain_id === other.chain_id;

export interface BadEntry extends Position {
  /** The id of the entry at this position. Null if there is none. */
  id: number | null;
  fault: string;
}
