/**
 * The specified statuses, one entry each. If 200 and 201 are specified, a repeated PUT or POST can return both. A plain
 * creation returns only one of them, so they form one entry.
 */
import { keyOf, type SpecifiedOperation } from './specification.ts';

/** Operations that create a resource or are rejected. */
const creations = new Set([
  'POST /cohorts',
  'POST /subjects',
  'POST /experiments',
  'POST /external_experiment_links',
  'POST /external_subject_links',
  'POST /users',
  'POST /scans',
]);

export interface Entry {
  /** One of these is sufficient. */
  statuses: readonly number[];
  name: string;
}

const single = (status: number): Entry => ({ statuses: [status], name: String(status) });

/** Whether 200 and 201 are both specified, but only one of them can be returned. */
export const isMerged = (operation: SpecifiedOperation): boolean =>
  creations.has(keyOf(operation)) && [200, 201].every((status) => operation.statuses.includes(status));

export function entriesOf(operation: SpecifiedOperation): Entry[] {
  const { statuses } = operation;
  if (!isMerged(operation)) return statuses.map(single);
  const rejections = statuses.filter((status) => status >= 300);
  return [{ statuses: [200, 201], name: '200 or 201 (either)' }, ...rejections.map(single)];
}

export const isSeen = ({ statuses }: Entry, seen: ReadonlySet<number>): boolean =>
  statuses.some((status) => seen.has(status));
