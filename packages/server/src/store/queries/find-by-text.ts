/** Finds experiments with a text anywhere in their label, in the label of their subject or in an external ID. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import type { Scope } from '../scope.ts';
import { containing } from './query-sources.ts';
import { searchIndex } from './resolve-query.ts';
import { withinTime } from './within-time.ts';

/** Any of them, up to the limit. None without an index, or if finding them takes too long. */
export async function findByText(db: Db, scope: Scope, text: string, limit: number): Promise<number[]> {
  const source = containing(text, scope);
  if (!source) return [];
  const statement = sql<{ id: number }>`
    select found.id from (${source.ids}) as found where exists (${searchIndex}) limit ${limit}`;
  return (await withinTime(db, statement)).rows.map(({ id }) => id);
}
