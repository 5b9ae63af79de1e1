/** Finds experiments with a text anywhere in their label, in the label of their subject or in an external ID. */
import type { Db } from '../../database/connection.ts';
import { findByQuery } from './find-by-query.ts';
import { resolveQuery, type Caller } from './resolve-query.ts';

/** In the order of their labels. None if too many have the text. */
export async function findByText(db: Db, caller: Caller, text: string, limit: number): Promise<number[]> {
  const term = { kind: 'word', negated: false, text, position: 0, length: text.length } as const;
  const query = await resolveQuery(db, caller, [term]);
  if ('errors' in query) return [];
  const page = await findByQuery(db, caller.scope, {
    query,
    sort: 'label',
    isDescending: false,
    after: undefined,
    limit,
  });
  return 'refused' in page ? [] : page.found.map(({ id }) => id);
}
