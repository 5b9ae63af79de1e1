/**
 * Pages for screens. The keys are found first, from an index only. Then a fixed number of statements reads the rows.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface ScreenPage {
  limit: number;
  offset: number;
  after: number;
}

export const screenPage = (
  { limit, offset, after }: { limit?: number; offset?: number; after?: number },
  defaultLimit: number,
): ScreenPage => ({ limit: limit ?? defaultLimit, offset: offset ?? 0, after: after ?? 0 });

/** The parts of a statement that finds keys. */
export interface Keys {
  before?: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

export interface PageOfKeys {
  ids: number[];
  /** The cursor of the next page, if there is one. */
  next: () => number | undefined;
}

export const noKeys: PageOfKeys = { ids: [], next: () => undefined };

export async function readPage(db: Db, keys: Keys, page: ScreenPage): Promise<PageOfKeys> {
  if (page.limit === 0) return pageOf([], page);
  const { rows } = await sql<{ id: number }>`
    ${keys.before ?? sql``}
    select ${keys.key} as id from ${keys.from} where ${keys.where} order by ${keys.order}
    limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return pageOf(rows, page);
}

/** The query fetches one more row, to see whether there is a next page. */
function pageOf(rows: readonly { id: number }[], { limit }: ScreenPage): PageOfKeys {
  const ids = rows.slice(0, limit).map(({ id }) => id);
  return { ids, next: () => (rows.length > limit ? ids.at(-1) : undefined) };
}
