/**
 * Reads a list, ordered by id: every row, or a page of them. Short lists are read at once with the other requests;
 * long ones are streamed, so that no list is ever held in memory (docs/decisions/0005).
 */
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Database } from './connection.ts';
import { foundList, idBehind, type Find } from './found-list.ts';
import { Rows, type Many } from './rows.ts';
import type { Ordered, Run } from './stream.ts';
import type { Database as Tables } from './tables.ts';

export interface Page {
  limit?: number;
  offset?: number;
  /** Only rows with a larger id. */
  after?: number;
}

export interface List<R> {
  rows: Many<R>;
  /** The key of the next page, if there is one. For a stream it is known from the first batch on. */
  next: () => number | undefined;
}

/** A page up to this size is held in memory; a larger one is streamed. */
const largestHeldPage = 10_000;
/** A list without a limit that turns out to be this short needs no stream. */
const shortList = 1000;

/** What a list is ordered by: its id, or, inside one parent, the two columns of the index that holds the parent's rows. */
export interface Order {
  id: string;
  parent?: { column: string; id: number | string };
  /** For rows that may be few among all ids: finds them otherwise than by a walk along the ids. */
  find?: Find;
}

export async function readList<T extends keyof Tables, R extends { id: number }>(
  { db, streams }: Pick<Database, 'db' | 'streams'>,
  query: SelectQueryBuilder<Tables, T, R>,
  order: Order,
  page: Page,
): Promise<List<R>> {
  const run: Run = async (statement) => (await db.executeQuery(statement.compile(db))).rows;
  const { limit } = page;
  const list = limit === 0 ? undefined : await inOrder(run, query, order, page);
  if (!list) return { rows: [], next: () => undefined };
  const held = limit !== undefined && limit <= largestHeldPage ? limit : shortList;
  const { rows, next } = await list.beginning(run, held);
  return next === undefined || held === limit ? { rows, next: () => next } : streamList(streams, list, limit);
}

/** Undefined where more rows are skipped than there are. */
async function inOrder<T extends keyof Tables, R extends { id: number }>(
  run: Run,
  query: SelectQueryBuilder<Tables, T, R>,
  { find, ...order }: Order,
  { offset = 0, after = 0 }: Page,
): Promise<Ordered<R> | undefined> {
  if (!find) return walk(skip(along(query, order, after), order, offset), order);
  const last = await idBehind(run, find, { after, count: offset });
  return last === undefined ? undefined : foundList(query, { ...order, find }, last);
}

function streamList<R>(streams: Database['streams'], list: Ordered<R>, limit: number | undefined): List<R> {
  let next: number | undefined;
  const rows = Rows.from(() =>
    streams.inSnapshot(async function* (snapshot) {
      if (limit !== undefined) next = await list.next(snapshot.run, limit);
      yield* list.read(snapshot, limit);
    }),
  );
  return { rows, next: () => next };
}

/** Along the ids: of all rows, or of one parent's. */
function walk<T extends keyof Tables, R extends { id: number }>(
  ordered: SelectQueryBuilder<Tables, T, R>,
  order: Order,
): Ordered<R> {
  return {
    beginning: async (run, most) => {
      const rows = await run(ordered.limit(most + 1));
      return { rows: rows.slice(0, most), next: rows.length > most ? rows[most - 1]?.id : undefined };
    },
    next: async (run, limit) => {
      // The last row of the page and the one behind it, from the index alone.
      const boundary = idsOf(ordered, order).offset(limit - 1);
      const [last, behind] = await run(boundary.limit(2));
      return behind && last?.id;
    },
    read: ({ read }, limit) => read(limit === undefined ? ordered : ordered.limit(limit)),
  };
}

/**
 * Inside a parent the order is spelled with both columns. With `parent = x order by id` PostgreSQL walks the primary key
 * and filters, as it believes a parent's rows to lie evenly among all: at 1 M rows that took 315 ms instead of 0.9 ms.
 */
function along<T extends keyof Tables, R>(query: SelectQueryBuilder<Tables, T, R>, order: Order, after: number) {
  const id = sql.ref<number>(order.id);
  if (!order.parent) return query.where(sql<boolean>`${id} > ${after}`).orderBy(id);
  const parent = sql.ref<number | string>(order.parent.column);
  return query
    .where(sql<boolean>`(${parent}, ${id}) > (${order.parent.id}, ${after}) and ${parent} <= ${order.parent.id}`)
    .orderBy(parent)
    .orderBy(id);
}

const idsOf = <T extends keyof Tables, R>(query: SelectQueryBuilder<Tables, T, R>, { id }: Order) =>
  query.clearSelect().select(sql.ref<number>(id).as('id'));

/** Skips by finding the last row to skip in the index alone: reading and dropping 7 M rows took longer than any request may. */
function skip<T extends keyof Tables, R>(query: SelectQueryBuilder<Tables, T, R>, order: Order, offset: number) {
  if (offset === 0) return query;
  const last = idsOf(query, order)
    .offset(offset - 1)
    .limit(1);
  return query.where(sql<boolean>`${sql.ref(order.id)} > (${last})`);
}
