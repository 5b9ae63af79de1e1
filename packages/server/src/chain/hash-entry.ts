/**
 * Computes the hashes of history entries. The database computes them when an entry is inserted (migration 0010). This file
 * recomputes them from stored or exported entries, so verification needs no database.
 *
 * A hash is the SHA-256 of a JSON array as PostgreSQL prints it: UTF-8, with a comma and a space between values.
 */
import { createHash } from 'node:crypto';

/** The personal part of an entry. Values are JSON as the database prints it, because the hash covers that exact text. */
export interface PersonalValues {
  before: string | null;
  after: string | null;
  reason: string | null;
}

export interface ChainedEntry {
  id: number;
  chain: string;
  chain_id: number;
  sequence: number;
  /** UTC with milliseconds: `2026-11-15T08:30:00.120Z`. */
  at: string;
  actor_kind: string;
  actor_id: number | null;
  request_id: string | null;
  operation: string;
  object_kind: string;
  object_id: number;
  before: string | null;
  after: string | null;
  reason: string | null;
  /** The person whose values are stored outside the chain. Null if there are none. */
  person: string | null;
  person_id: number | null;
  /** Hexadecimal, like all hashes and keys in this module. */
  values_hash: string | null;
  hash: string;
}

type Field = string | number | null;

const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const arrayText = (fields: readonly Field[]): string =>
  `[${fields.map((field) => JSON.stringify(field)).join(', ')}]`;

/** `previous` is the hash of the previous entry of the chain, or null for the first entry. */
export const hashEntry = (previous: string | null, entry: ChainedEntry): string =>
  sha256(
    arrayText([
      previous,
      entry.id,
      entry.chain,
      entry.chain_id,
      entry.sequence,
      entry.at,
      entry.actor_kind,
      entry.actor_id,
      entry.request_id,
      entry.operation,
      entry.object_kind,
      entry.object_id,
      entry.before,
      entry.after,
      entry.reason,
      entry.person,
      entry.person_id,
      entry.values_hash,
    ]),
  ).toString('hex');

/** Keyed per person, so values cannot be guessed from the hash. The id binds the values to their entry. */
export const hashValues = (key: string, id: number, { before, after, reason }: PersonalValues): string =>
  sha256(Buffer.from(key, 'hex'), sha256(arrayText([id, before, after, reason]))).toString('hex');
