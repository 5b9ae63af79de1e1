import type { Call } from '../../http/call.ts';
import { readReference } from './read-reference.ts';
import { ambiguousReference, type Referable } from './referable.ts';

/**
 * The ids that a filter matches: those of all objects with the label, or else of the object with the URI or id. There are none
 * if the text refers to nothing. Text that is a label and also means another object is rejected, as in a body.
 */
export async function readFilterIds(
  { database, account, links }: Pick<Call, 'database' | 'account' | 'links'>,
  kind: Referable,
  filter: { pointer: string; text: string },
): Promise<number[]> {
  const matched = await Promise.all(
    readReference(filter.text, kind.collection, links).map((key) => kind.find(database.db, account.scope, [key])),
  );
  const labelled = matched.at(-1) ?? [];
  const others = matched.flat().filter(({ id }) => !labelled.some((one) => one.id === id));
  if (labelled.length > 0 && others.length > 0) {
    throw ambiguousReference(kind, links, filter, [...others, ...labelled]);
  }
  return [...others, ...labelled].map(({ id }) => id);
}
