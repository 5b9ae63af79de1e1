/** Calls the store functions of Insights with a scope, for the test of all store functions. Returns the ids of the cohorts whose rows count. */
import { sql } from 'kysely';
import type { Database, Tx } from '../src/database/connection.ts';
import { readCohortProgress } from '../src/store/insights/read-cohorts.ts';
import { readFailures } from '../src/store/insights/read-failures.ts';
import { readCounted, readLevelsAt } from '../src/store/insights/read-figures.ts';
import { readDecisionTimes, readVariables } from '../src/store/insights/read-recent-stays.ts';
import { sumOfCohorts, type Scope } from '../src/store/scope.ts';

const [monday, workflowId] = ['2026-01-05', 1];
const period = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };

type Reads = (tx: Tx, scope: Scope, id: number) => Promise<number[]>;

/** Other calls do not see the rows. */
const rolledBack = (database: () => Database, reads: Reads) => async (scope: Scope, id: number) => {
  const tx = await database().db.startTransaction().execute();
  try {
    return await reads(tx, scope, id);
  } finally {
    await tx.rollback().execute();
  }
};

const insertLevels = async (tx: Tx, id: number) => {
  await sql`insert into insight_levels values (${id}, 1, 7, 70), (${sql.lit(sumOfCohorts)}, 1, 7, 70)`.execute(tx);
  await sql`insert into insight_experiments values (${-id}, ${id}, 1, 1, '2026-01-01')`.execute(tx);
};

/** An experiment leaves its state six times by decision of a user, and has the variable. */
const insertStays = async (tx: Tx, experiment: number, site: string) => {
  await sql`insert into experiment_variables values (${experiment}, 'site', to_jsonb(${site}::text)) on conflict do nothing`.execute(
    tx,
  );
  await sql`insert into actions (experiment_id, sequence, transition_id, start_time, end_time, actor_kind, actor_id)
    select ${experiment}::bigint, n, 2, clock.at, clock.at, 'user', 1
    from generate_series(2, 7) n cross join lateral (select now() + n * interval '1 second') as clock (at)`.execute(tx);
};

const insertExperiment = async (tx: Tx, cohort: number): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into experiments (subject_id, cohort_id, workflow_id, state_id, label) select ${cohort}::bigint, ${cohort}::bigint, 1, 1, 'other'
    returning id`.execute(tx);
  const [{ id } = { id: 0 }] = rows;
  await sql`insert into actions (experiment_id, sequence, transition_id, actor_kind) values (${id}, 1, 1, 'engine')`.execute(
    tx,
  );
  return id;
};

const ifAny = (rows: readonly unknown[], id: number) => (rows.length > 0 ? [id] : []);

export const readsOfInsights = (database: () => Database) => ({
  readCounted: [
    rolledBack(database, async (tx, scope, id) => {
      await insertLevels(tx, id);
      const { levels } = await readCounted(tx, scope, { workflowId, from: monday });
      return ifAny(
        levels.filter(({ oldest }) => oldest !== null),
        id,
      );
    }),
  ],
  readLevelsAt: [
    rolledBack(database, async (tx, scope, id) => {
      await insertLevels(tx, id);
      return ifAny(await readLevelsAt(tx, scope, { workflowId, day: monday }), id);
    }),
  ],
  readFailures: [
    rolledBack(database, async (tx, scope, id) => {
      await sql`insert into insight_causes values (${id}, 1, '', ${monday}::date, 3, 0), (${sql.lit(sumOfCohorts)}, 1, '', ${monday}::date, 3, 0)`.execute(
        tx,
      );
      return ifAny(await readFailures(tx, scope, { workflowId, from: monday }), id);
    }),
  ],
  readCohortProgress: [
    rolledBack(database, async (tx, scope, id) => {
      await insertLevels(tx, id);
      return (await readCohortProgress(tx, scope, { workflowId, from: monday })).map((cohort) => cohort.id);
    }),
  ],
  readVariables: [
    rolledBack(database, async (tx, scope, id) => {
      await insertStays(tx, id, 'one');
      await insertStays(tx, await insertExperiment(tx, id), 'other');
      return ifAny(await readVariables(tx, scope, { ...period, stateId: 1 }), id);
    }),
  ],
  readDecisionTimes: [
    rolledBack(database, async (tx, scope, id) => {
      await insertStays(tx, id, 'one');
      return ifAny(await readDecisionTimes(tx, scope, { ...period, workflowId, byUser: true }), id);
    }),
  ],
});
