import type { List } from '../database/read-list.ts';
import { mapRows } from '../database/rows.ts';
import type { Answer } from '../http/call.ts';

/** The response `{key: [element]}`, with the key of the next page if there is one. */
export const listAnswer = <K extends string, R, E>(
  key: K,
  list: List<R>,
  element: (row: R) => E,
): Answer<Record<K, E[]>> => ({
  status: 200,
  // A long list is not an array yet. It is streamed when the response is sent.
  body: { [key]: mapRows(list.rows, element) } as unknown as Record<K, E[]>,
  next: list.next,
});
