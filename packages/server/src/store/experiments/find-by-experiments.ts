/**
 * Finds rows that belong to experiments but have no cohort column, for a scope of some cohorts. Scans along the ids while that
 * finds enough rows. Otherwise, it reads all rows of the scope's experiments and sorts them. With 200,000 rows that takes 0.1 to
 * 0.3 s, which is faster than scanning on if the scope is a small part of all cohorts.
 */
import { sql, type RawBuilder } from 'kysely';
import { findStep, scanStep, type FindStep, type StepRequest, type StepResult } from '../../database/stepwise-list.ts';
import type { Run } from '../../database/stream.ts';
import { experimentInScope, rowsIn, scanLimit, type Scope } from '../scope.ts';

export interface RowsByExperiment {
  /** The rows after an id, in order. */
  after: (id: number, limit: number) => RawBuilder<unknown>;
  /** That order, for rows aliased as `near`. */
  order: RawBuilder<unknown>;
  /** The experiment of a row aliased as `near`. */
  experimentId: RawBuilder<unknown>;
  /** A further condition on a row aliased as `near`. `ofExperiment` contains it, too. */
  matches?: RawBuilder<boolean>;
  /** Selects the `id` of all rows of `experiments.id`, in any order. */
  ofExperiment: RawBuilder<unknown>;
}

/** The scan continues if this many steps would find enough rows. */
const maxSteps = 10;
/** With more experiments in the scope, sorting their rows could take too long. */
const fewExperiments = 100_000;

export function findByExperiments(scope: Scope, rows: RowsByExperiment): FindStep {
  let few: boolean | undefined;
  return async (run, request) => {
    const found = await scanStep(run, request.limit, {
      near: rows.after(request.after, scanLimit),
      scanLimit,
      order: rows.order,
      where: sql<boolean>`${experimentInScope(scope, rows.experimentId)} and ${rows.matches ?? sql`true`}`,
    });
    if (found.reached === null || found.ids.length * maxSteps >= request.limit) return found;
    few ??= await hasFewExperiments(run, scope);
    return few ? sortAll(run, scope, rows, request) : found;
  };
}

const sortAll = (
  run: Run,
  scope: Scope,
  { ofExperiment }: RowsByExperiment,
  { after, limit }: StepRequest,
): Promise<StepResult> =>
  findStep(
    run,
    sql<{ id: number }>`
      select found.id from ${rowsIn(scope, 'experiments')} cross join lateral (${ofExperiment} offset 0) as found
      where found.id > ${after} order by found.id limit ${limit}`,
    limit,
  );

async function hasFewExperiments(run: Run, scope: Scope): Promise<boolean> {
  const counted = sql`(select from ${rowsIn(scope, 'experiments')} limit ${fewExperiments + 1}) as counted`;
  const [row] = await run(sql<{ count: number }>`select count(*) as count from ${counted}`);
  return (row?.count ?? 0) <= fewExperiments;
}
