/** Neighbouring entries of one change, which the page shows as one line until the user opens it. */
import { canFold } from './folded-sentences.ts';
import { objectKey } from './sentence.ts';
import type { Entry } from './use-audit.ts';

/** A program sends its requests within this time of each other. Two decisions of a person are further apart. */
const momentMilliseconds = 2000;

/** Changes of one object can be further apart. */
const sameObjectMilliseconds = 60_000;

/** What both sentences must have in common. An entry without earlier values, such as a failed check, reads differently. */
const formOf = ({ actor, operation, kind, object, reason, erased, before }: Entry): string =>
  JSON.stringify([actor.kind, actor.id, actor.name, operation, kind, object.kind, reason, erased, before === null]);

function isOneChange(newer: Entry, older: Entry): boolean {
  if (!canFold(newer.operation) || formOf(newer) !== formOf(older)) return false;
  if (newer.request_id !== null && newer.request_id === older.request_id) return true;
  const apart = Math.abs(Date.parse(newer.at) - Date.parse(older.at));
  return apart <= (objectKey(newer) === objectKey(older) ? sameObjectMilliseconds : momentMilliseconds);
}

/** In the given order. Only neighbours are folded, so a reader sees what happened in between. */
export function foldNeighbours<E extends Entry>(entries: readonly E[]): (readonly [E, ...E[]])[] {
  const folds: [E, ...E[]][] = [];
  for (const entry of entries) {
    const fold = folds.at(-1);
    const last = fold?.at(-1);
    if (fold && last && isOneChange(last, entry)) fold.push(entry);
    else folds.push([entry]);
  }
  return folds;
}
