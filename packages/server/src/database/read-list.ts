/**
 * Reads a list or a page of it, ordered by id. Short lists are read at once. Long lists are streamed, so they are never held
 * in memory (docs/decisions/0005).
 */
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Database } from './connection.ts';
import { stepwiseList, idAfter, type FindStep } from './stepwise-list.ts';
import { Rows, type RowList } from './rows.ts';
import { rowsPerBatch, runOn, type FirstRows, type Ordered, type Run } from './stream.ts';
import type { Database as Tables } from './tables.ts';

export interface Page {
  limit?: number;
  offset?: number;
  /** Only rows with a larger id. */
  after?: number;
}

export interface List<R> {
  rows: RowList<R>;
  /** The cursor of the next page, if there is one. For a stream, it is known after the first batch. */
  next: () => number | undefined;
}

/** Larger pages are streamed. */
const maxPageInMemory = 10_000;
/** A list without a limit is streamed if it is longer than this. */
const shortList = 1000;

/** A list is ordered by id or, within one parent, by the two columns of the parent's index. */
export interface Order {
  id: string;
  parent?: { column: string; id: number | string };
  /** Finds rows that may be sparse among all ids, where a scan along the ids could take too long. */
  find?: FindStep;
}

export async function readList<T extends keyof Tables, R extends { id: number }>(
  { db, streams }: Pick<Database, 'db' | 'streams'>,
  query: SelectQueryBuilder<Tables, T, R>,
  order: Order,
  page: Page,
): Promise<List<R>> {
  const run = runOn(db);
  const { limit } = page;
  const list = limit === 0 ? undefined : await orderedList(run, query, order, page);
  if (!list) return { rows: [], next: () => undefined };
  const count = limit !== undefined && limit <= maxPageInMemory ? limit : shortList;
  const first = await list.first(run, count);
  return first.next === undefined || count === limit
    ? { rows: first.rows, next: () => first.next }
    : streamList(streams, list, { first, order, limit });
}

/** Undefined if the offset is beyond the end of the list. */
async function orderedList<T extends keyof Tables, R extends { id: number }>(
  run: Run,
  query: SelectQueryBuilder<Tables, T, R>,
  { find, ...order }: Order,
  { offset = 0, after = 0 }: Page,
): Promise<Ordered<R> | undefined> {
  const skipped = { after, count: offset };
  const last = find ? await idAfter(run, find, skipped) : await lastSkipped(run, query, order, skipped);
  if (last === undefined) return undefined;
  return find ? stepwiseList(query, { ...order, find }, last) : scan(query, order, last);
}

/** A long list that has been read up to `first.next`. */
interface Started<R> {
  first: FirstRows<R>;
  order: Order;
  limit: number | undefined;
}

/**
 * Reads on up to the row that is the last one now, so that rows added meanwhile never make the list endless. Every row that
 * matches during the whole time appears exactly once.
 */
function streamList<R>(streams: Database['streams'], list: Ordered<R>, { first, order, limit }: Started<R>): List<R> {
  let next: number | undefined;
  const rows = Rows.from(() =>
    streams.read(async function* (db) {
      const run = runOn(db);
      if (limit !== undefined) next = await list.next(run, limit);
      yield first.rows;
      yield* list.read(run, { after: first.next ?? 0, last: next ?? (await largestId(run, order)) });
    }),
  );
  return { rows, next: () => next };
}

async function largestId(run: Run, { id, parent }: Order): Promise<number> {
  const table = sql.table(id.split('.', 1)[0] ?? '');
  const condition = parent ? sql`${sql.ref(parent.column)} = ${parent.id}` : sql`true`;
  const [row] = await run(
    sql<{ largest: number | null }>`select max(${sql.ref(id)}) as largest from ${table} where ${condition}`,
  );
  return row?.largest ?? 0;
}

/** Scans along the ids of all rows or of one parent's rows. */
function scan<T extends keyof Tables, R extends { id: number }>(
  query: SelectQueryBuilder<Tables, T, R>,
  order: Order,
  start: number,
): Ordered<R> {
  const ordered = afterKey(query, order, start);
  return {
    first: async (run, limit) => {
      const rows = await run(ordered.limit(limit + 1));
      return { rows: rows.slice(0, limit), next: rows.length > limit ? rows[limit - 1]?.id : undefined };
    },
    next: async (run, limit) => {
      // Reads the last row of the page and the one after it from the index only.
      const boundary = idsOf(ordered, order).offset(limit - 1);
      const [last, following] = await run(boundary.limit(2));
      return following && last?.id;
    },
    async *read(run, { after, last }) {
      let [from, complete] = [after, false];
      while (!complete) {
        const batch = upTo(last, await run(afterKey(query, order, from).limit(rowsPerBatch)));
        [from, complete] = [batch.at(-1)?.id ?? last, batch.length < rowsPerBatch];
        yield batch;
      }
    },
  };
}

const upTo = <R extends { id: number }>(last: number, rows: R[]): R[] =>
  (rows.at(-1)?.id ?? 0) <= last ? rows : rows.filter(({ id }) => id <= last);

/**
 * Within a parent, the condition and the order name both columns. With `parent = x order by id`, PostgreSQL assumes that a
 * parent's rows are spread evenly and scans the primary key: 315 ms instead of 0.9 ms at 1 M rows. Without the lower limit of the parent, it
 * estimates a third of the table, and prefers another index of the parent with a sort of all its rows.
 */
function afterKey<T extends keyof Tables, R>(query: SelectQueryBuilder<Tables, T, R>, order: Order, after: number) {
  const id = sql.ref<number>(order.id);
  if (!order.parent) return query.where(sql<boolean>`${id} > ${after}`).orderBy(id);
  const parent = sql.ref<number | string>(order.parent.column);
  return query
    .where(sql<boolean>`(${parent}, ${id}) > (${order.parent.id}, ${after})`)
    .where(sql<boolean>`${parent} >= ${order.parent.id} and ${parent} <= ${order.parent.id}`)
    .orderBy(parent)
    .orderBy(id);
}

const idsOf = <T extends keyof Tables, R>(query: SelectQueryBuilder<Tables, T, R>, { id }: Order) =>
  query.clearSelect().select(sql.ref<number>(id).as('id'));

/**
 * Finds the last row to skip from the index only. Reading and dropping 7 M rows would hit the statement timeout. As a subquery of the page, it
 * would be an unknown id for which PostgreSQL estimates a third of the rows, and can choose another index and a sort.
 */
async function lastSkipped<T extends keyof Tables, R>(
  run: Run,
  query: SelectQueryBuilder<Tables, T, R>,
  order: Order,
  { after, count }: { after: number; count: number },
): Promise<number | undefined> {
  if (count === 0) return after;
  const [last] = await run(
    idsOf(afterKey(query, order, after), order)
      .offset(count - 1)
      .limit(1),
  );
  return last?.id;
}
