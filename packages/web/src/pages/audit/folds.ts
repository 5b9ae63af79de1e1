/** Neighbouring entries of one change, which the page shows as one line until the user opens it. */
import { canFold } from './folded-sentences.ts';
import { objectKey } from './sentence.ts';
import type { Entry } from './use-audit.ts';

/** A program sends its requests within this time of each other. Two decisions of a person are further apart. */
const momentMilliseconds = 2000;

/** Changes of one object can be further apart. */
const sameObjectMilliseconds = 60_000;

const isMove = ({ after }: Entry) => after !== null && 'state_id' in after;

/** What the end of an action led to: a move, an incident or neither. */
const outcomeOf = (entry: Entry) => [isMove(entry), entry.after?.['success'], entry.after?.['incident']];

/** What both sentences must have in common. An entry without earlier values, such as a failed check, reads differently. */
function formOf(entry: Entry): string {
  const { actor, operation, kind, object, reason, erased, before } = entry;
  const author = [actor.kind, actor.id, actor.name];
  return JSON.stringify([author, operation, kind, object.kind, reason, erased, before === null, outcomeOf(entry)]);
}

const isSameObject = (one: Entry, other: Entry) => objectKey(one) === objectKey(other);

const millisecondsBetween = (one: Entry, other: Entry) => Math.abs(Date.parse(one.at) - Date.parse(other.at));

function isClose(newer: Entry, older: Entry): boolean {
  if (newer.request_id !== null && newer.request_id === older.request_id) return true;
  const limit = isSameObject(newer, older) ? sameObjectMilliseconds : momentMilliseconds;
  return millisecondsBetween(newer, older) <= limit;
}

/** The filters can hide a move between two moves of an experiment. */
const isGapless = (newer: Entry, older: Entry): boolean =>
  !isMove(newer) || !isSameObject(newer, older) || newer.before?.['state'] === older.after?.['state'];

const isOneChange = (newer: Entry, older: Entry): boolean =>
  canFold(newer.operation) && formOf(newer) === formOf(older) && isClose(newer, older) && isGapless(newer, older);

/** In the given order. Only neighbours are folded, so a reader sees what happened in between. No fold exceeds the limits. */
export function foldNeighbours<E extends Entry>(entries: readonly E[]): (readonly [E, ...E[]])[] {
  const folds: [E, ...E[]][] = [];
  for (const entry of entries) {
    const fold = folds.at(-1);
    const last = fold?.at(-1);
    if (fold && last && isOneChange(last, entry) && isClose(fold[0], entry)) fold.push(entry);
    else folds.push([entry]);
  }
  return folds;
}

/** When the oldest entry happened, if it is at least a minute older than the newest. */
export function startOf(entries: readonly [Entry, ...Entry[]]): string | undefined {
  const oldest = entries.at(-1) ?? entries[0];
  return millisecondsBetween(entries[0], oldest) >= 60_000 ? oldest.at : undefined;
}
