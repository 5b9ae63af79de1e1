/**
 * Pages for screens: their keys are found first, by an index alone, and what is shown of them is read afterwards, by as many
 * statements whatever the length of the page.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';

export interface ScreenPage {
  limit: number;
  offset: number;
  after: number;
}

/** The page that was asked for. */
export const screenPage = (
  { limit, offset, after }: { limit?: number; offset?: number; after?: number },
  usual: number,
): ScreenPage => ({ limit: limit ?? usual, offset: offset ?? 0, after: after ?? 0 });

/** A statement that finds keys, in its parts. */
export interface Keys {
  before?: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

export interface PageOfKeys {
  ids: number[];
  /** The key of the next page, if there is one. */
  next: () => number | undefined;
}

export async function readPage(db: Db, keys: Keys, page: ScreenPage): Promise<PageOfKeys> {
  if (page.limit === 0) return pageOf([], page);
  const { rows } = await sql<{ id: number }>`
    ${keys.before ?? sql``}
    select ${keys.key} as id from ${keys.from} where ${keys.where} order by ${keys.order}
    limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return pageOf(rows, page);
}

/** One more was asked for, to see whether there is a next page. */
function pageOf(rows: readonly { id: number }[], { limit }: ScreenPage): PageOfKeys {
  const ids = rows.slice(0, limit).map(({ id }) => id);
  return { ids, next: () => (rows.length > limit ? ids.at(-1) : undefined) };
}
