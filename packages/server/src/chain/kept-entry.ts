/** An entry of the history as whoever verifies it meets it, and where a fault was found. */
import type { ChainedEntry, PersonalValues } from './hash-entry.ts';

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

export const isSameChain = (one: Position, other: Position): boolean =>
  one.chain === other.chain && one.chain_id === other.chain_id;

export interface BadEntry extends Position {
  /** Of the entry that was found there; null where there is none. */
  id: number | null;
  fault: string;
}
