/**
 * Reads lists whose rows may be sparse among all ids. A scan along the ids could skip millions of rows between two matches
 * and hit the statement timeout in the middle of a response. Instead, the ids are found in steps of one short statement each,
 * and then their rows are read.
 */
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { rowsPerBatch, type Ordered, type Run, type Statement } from './stream.ts';
import type { Database as Tables } from './tables.ts';

/** Runs one step. Together, the steps must find exactly the rows that the list's query selects. */
export type FindStep = (run: Run, request: StepRequest) => Promise<StepResult>;

export interface StepRequest {
  after: number;
  limit: number;
}

export interface StepResult {
  /** In order. Can be empty even if later steps find more. */
  ids: number[];
  /** The id after which the next step starts. Null if nothing is left. */
  reached: number | null;
}

/** A step that scans until it has found `limit` ids. */
export async function findStep(run: Run, statement: Statement<{ id: number }>, limit: number): Promise<StepResult> {
  const ids = (await run(statement)).map((row) => row.id);
  return { ids, reached: ids[limit - 1] ?? null };
}

/** The rows to scan, aliased as `near`, and the condition that matching rows meet. */
interface Scan {
  near: RawBuilder<unknown>;
  /** The limit of `near`. */
  scanLimit: number;
  order: RawBuilder<unknown>;
  where: RawBuilder<boolean>;
}

/**
 * A step that scans at most `scanLimit` rows and stops at the last match that it needs. The same statement returns how far it
 * scanned, because a second statement could see rows that were inserted in between.
 */
export async function scanStep(run: Run, limit: number, { near, scanLimit, order, where }: Scan): Promise<StepResult> {
  const [found] = await run(sql<StepResult>`
    select seen.ids, case when cardinality(seen.ids) = ${limit} then seen.ids[${limit}]
      else (select near.id from (${near}) as near order by ${order} offset ${scanLimit - 1}) end as reached
    from (
      select array(select near.id from (${near}) as near where ${where} order by ${order} limit ${limit}) as ids offset 0
    ) as seen`);
  return found ?? { ids: [], reached: null };
}

/** Some steps sort all rows in the caller's scope, so each fetches many ids at once. They are held in memory. */
const idsPerStep = 20_000;

export function stepwiseList<T extends keyof Tables, R>(
  query: SelectQueryBuilder<Tables, T, R>,
  { id, find }: { id: string; find: FindStep },
  after: number,
): Ordered<R> {
  const rowsOf = (ids: number[]) =>
    query.where(sql<boolean>`${sql.ref(id)} = any(${ids}::bigint[])`).orderBy(sql.ref(id));
  return {
    first: async (run, limit) => {
      const ids: number[] = [];
      for await (const more of findIds(run, find, { after, limit: limit + 1 })) ids.push(...more);
      const rows = await run(rowsOf(ids.slice(0, limit)));
      return { rows, next: ids.length > limit ? ids[limit - 1] : undefined };
    },
    next: async (run, limit) => {
      const last = await idAfter(run, find, { after, count: limit });
      const following = last === undefined ? undefined : await idAfter(run, find, { after: last, count: 1 });
      return following && last;
    },
    async *read(run, { after: start, last }) {
      for await (const found of findIds(run, find, { after: start, limit: Infinity })) {
        const ids = found.filter((one) => one <= last);
        for (let from = 0; from < ids.length; from += rowsPerBatch) {
          yield await run(rowsOf(ids.slice(from, from + rowsPerBatch)));
        }
        if (ids.length < found.length) return;
      }
    },
  };
}

async function* findIds(run: Run, find: FindStep, { after, limit }: StepRequest): AsyncGenerator<number[], void> {
  let [from, left]: [number | null, number] = [after, limit];
  while (from !== null && left > 0) {
    const { ids, reached } = await find(run, { after: from, limit: Math.min(left, idsPerStep) });
    if (ids.length > 0) yield ids;
    [from, left] = [reached, left - ids.length];
  }
}

/** The id `count` rows after the given one. Undefined if there are fewer rows. */
export async function idAfter(
  run: Run,
  find: FindStep,
  { after, count }: { after: number; count: number },
): Promise<number | undefined> {
  let [last, left] = [after, count];
  for await (const ids of findIds(run, find, { after, limit: count })) {
    [last, left] = [ids.at(-1) ?? last, left - ids.length];
  }
  return left === 0 ? last : undefined;
}
