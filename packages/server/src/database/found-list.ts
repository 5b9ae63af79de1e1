/**
 * Lists of rows that may be few among all ids. A walk along the ids could pass over millions between two of them, and be
 * cancelled for it in the middle of an answer. So ids are found step by step, each a statement that is soon over, and their rows
 * are looked up.
 */
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { rowsPerBatch, type Ordered, type Run, type Statement } from './stream.ts';
import type { Database as Tables } from './tables.ts';

/** One step. In the end it has found just those rows that the query of the list shows. */
export type Find = (run: Run, wanted: Wanted) => Promise<Found>;

export interface Wanted {
  after: number;
  most: number;
}

export interface Found {
  /** In order. None, if there were none as far as it looked. */
  ids: number[];
  /** How far it looked: the next step begins there. Null where nothing is left. */
  reached: number | null;
}

/** A step that looks as far as it must to find so many. */
export async function findAll(run: Run, statement: Statement<{ id: number }>, most: number): Promise<Found> {
  const ids = (await run(statement)).map((row) => row.id);
  return { ids, reached: ids[most - 1] ?? null };
}

/** Rows called `near`, in their order, and what must hold for those that are wanted. */
interface Looking {
  near: RawBuilder<unknown>;
  /** How many those are, if there are so many. */
  looks: number;
  order: RawBuilder<unknown>;
  where: RawBuilder<boolean>;
}

/**
 * A step that looks at so many rows, and stops at the last one that is wanted. How far it looked is part of the same statement: to
 * another one, the last could be one that came meanwhile.
 */
export async function lookAlong(run: Run, most: number, { near, looks, order, where }: Looking): Promise<Found> {
  const [found] = await run(sql<Found>`
    select seen.ids, case when cardinality(seen.ids) = ${most} then seen.ids[${most}]
      else (select near.id from (${near}) as near order by ${order} offset ${looks - 1}) end as reached
    from (
      select array(select near.id from (${near}) as near where ${where} order by ${order} limit ${most}) as ids offset 0
    ) as seen`);
  return found ?? { ids: [], reached: null };
}

/** Some steps sort all that the caller may see. One of them is enough for so many ids, which are held in memory. */
const idsAtOnce = 20_000;

export function foundList<T extends keyof Tables, R>(
  query: SelectQueryBuilder<Tables, T, R>,
  { id, find }: { id: string; find: Find },
  after: number,
): Ordered<R> {
  const rowsOf = (ids: number[]) =>
    query.where(sql<boolean>`${sql.ref(id)} = any(${ids}::bigint[])`).orderBy(sql.ref(id));
  return {
    beginning: async (run, most) => {
      const ids: number[] = [];
      for await (const more of findIds(run, find, { after, most: most + 1 })) ids.push(...more);
      const rows = await run(rowsOf(ids.slice(0, most)));
      return { rows, next: ids.length > most ? ids[most - 1] : undefined };
    },
    next: async (run, limit) => {
      const last = await idBehind(run, find, { after, count: limit });
      const behind = last === undefined ? undefined : await idBehind(run, find, { after: last, count: 1 });
      return behind && last;
    },
    async *read({ run }, most = Infinity) {
      for await (const ids of findIds(run, find, { after, most })) {
        for (let from = 0; from < ids.length; from += rowsPerBatch) {
          yield await run(rowsOf(ids.slice(from, from + rowsPerBatch)));
        }
      }
    },
  };
}

async function* findIds(run: Run, find: Find, { after, most }: Wanted): AsyncGenerator<number[], void> {
  let [from, left]: [number | null, number] = [after, most];
  while (from !== null && left > 0) {
    const { ids, reached } = await find(run, { after: from, most: Math.min(left, idsAtOnce) });
    if (ids.length > 0) yield ids;
    [from, left] = [reached, left - ids.length];
  }
}

/** The id so many rows behind another, if there are so many. */
export async function idBehind(
  run: Run,
  find: Find,
  { after, count }: { after: number; count: number },
): Promise<number | undefined> {
  let [last, left] = [after, count];
  for await (const ids of findIds(run, find, { after, most: count })) {
    [last, left] = [ids.at(-1) ?? last, left - ids.length];
  }
  return left === 0 ? last : undefined;
}
