/**
 * Finds what knows no cohort but belongs to an experiment, for those who may see some cohorts only. It looks along the ids as long as
 * that finds some. Where it does not, the way leads over the experiments of the cohorts, all of whose rows are then sorted: with 200,000
 * of them that takes 0.1 to 0.3 s, and less than walking on where the cohorts are a small part of all.
 */
import { sql, type RawBuilder } from 'kysely';
import { findAll, lookAlong, type Find, type Found, type Wanted } from '../database/found-list.ts';
import type { Run } from '../database/stream.ts';
import { experimentInScope, looks, rowsIn, type Scope } from './scope.ts';

export interface OfExperiments {
  /** What lies behind an id, in order. */
  behind: (after: number, most: number) => RawBuilder<unknown>;
  /** That order, and the experiment, of a row that is called `near`. */
  order: RawBuilder<unknown>;
  experimentId: RawBuilder<unknown>;
  /** `id` of what `experiments.id` has, in any order. */
  ofOne: RawBuilder<unknown>;
}

/** Looking on is worth it where so many looks fill what is wanted. */
const moreLooks = 10;
/** Who may see more experiments than these sees no small part of all, and could wait too long for all of it to be sorted. */
const fewExperiments = 100_000;

export function findByExperiments(scope: Scope, rows: OfExperiments): Find {
  let few: boolean | undefined;
  return async (run, wanted) => {
    const found = await lookAlong(run, wanted.most, {
      near: rows.behind(wanted.after, looks),
      looks,
      order: rows.order,
      where: experimentInScope(scope, rows.experimentId),
    });
    if (found.reached === null || found.ids.length * moreLooks >= wanted.most) return found;
    few ??= await seesFew(run, scope);
    return few ? sortAll(run, scope, rows, wanted) : found;
  };
}

const sortAll = (run: Run, scope: Scope, { ofOne }: OfExperiments, { after, most }: Wanted): Promise<Found> =>
  findAll(
    run,
    sql<{ id: number }>`
      select found.id from ${rowsIn(scope, 'experiments')} cross join lateral (${ofOne} offset 0) as found
      where found.id > ${after} order by found.id limit ${most}`,
    most,
  );

async function seesFew(run: Run, scope: Scope): Promise<boolean> {
  const counted = sql`(select from ${rowsIn(scope, 'experiments')} limit ${fewExperiments + 1}) as seen`;
  const [row] = await run(sql<{ count: number }>`select count(*) as count from ${counted}`);
  return (row?.count ?? 0) <= fewExperiments;
}
