import type { List } from '../database/read-list.ts';
import { mapMany } from '../database/rows.ts';
import type { Answer } from '../http/call.ts';

/** Answers `{key: [element]}` and, where it is a page, where the next one is. */
export const listAnswer = <K extends string, R, E>(
  key: K,
  list: List<R>,
  element: (row: R) => E,
): Answer<Record<K, E[]>> => ({
  status: 200,
  // A long list is not an array yet: it becomes one while it is sent.
  body: { [key]: mapMany(list.rows, element) } as unknown as Record<K, E[]>,
  next: list.next,
});
