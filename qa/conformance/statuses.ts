/**
 * The statuses that the specification names, one entry each. Where a row names 200 and 201, a repeated PUT or POST may
 * tell them apart; a plain creation has no use for 200, so there either of them is the entry.
 */
import { keyOf, type SpecifiedOperation } from './specification.ts';

/** Creations: they make something new or are refused. */
const either = new Set([
  'POST /cohorts',
  'POST /subjects',
  'POST /experiments',
  'POST /external_experiment_links',
  'POST /external_subject_links',
  'POST /users',
  'POST /scans',
]);

export interface Entry {
  /** Any of these will do. */
  statuses: readonly number[];
  name: string;
}

const single = (status: number): Entry => ({ statuses: [status], name: String(status) });

export function entriesOf(operation: SpecifiedOperation): Entry[] {
  const { statuses } = operation;
  if (!either.has(keyOf(operation))) return statuses.map(single);
  const refusals = statuses.filter((status) => status >= 300);
  return [{ statuses: [200, 201], name: '200 or 201 (either)' }, ...refusals.map(single)];
}

export const isSeen = ({ statuses }: Entry, seen: ReadonlySet<number>): boolean =>
  statuses.some((status) => seen.has(status));
