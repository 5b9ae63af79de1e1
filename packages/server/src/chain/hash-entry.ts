/**
 * An entry of the history as its hash sees it. The database makes these hashes when an entry is inserted (migration 0010);
 * here they are made again, from nothing but what was kept or exported, so that whoever verifies needs no database.
 *
 * A hash is the SHA-256 of a JSON array, written as PostgreSQL writes it: UTF-8, a comma and a space between two values.
 */
import { createHash } from 'node:crypto';

/** The personal part of an entry. The values are JSON as the database prints it: what is hashed is this very text. */
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
  /** In UTC, with milliseconds: `2026-11-15T08:30:00.120Z`. */
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
  /** Whose values stand beside the chain: null without any. */
  person: string | null;
  person_id: number | null;
  /** Hexadecimal, as all hashes and keys here. */
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

/** `previous` is the hash of the entry before it in its chain; null for the first. */
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

/** Under the key of the person, so that nobody finds a value by trying. The id binds the values to their entry. */
export const hashValues = (key: string, id: number, { before, after, reason }: PersonalValues): string =>
  sha256(Buffer.from(key, 'hex'), sha256(arrayText([id, before, after, reason]))).toString('hex');
