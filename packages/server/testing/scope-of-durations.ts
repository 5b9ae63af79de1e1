/** Calls the store function of the time in state with a scope, for the test of all store functions. Returns the cohorts that are visible. */
import { sql } from 'kysely';
import type { Database } from '../src/database/connection.ts';
import { readDurations } from '../src/store/experiments/durations.ts';
import type { Scope } from '../src/store/scope.ts';

export const readsOfDurations = (database: () => Database) => ({
  readDurations: [(scope: Scope) => cohortsWithStays(database(), scope)],
});

/** Each experiment leaves its state. Other calls do not see these moves. */
async function cohortsWithStays({ db }: Database, scope: Scope): Promise<number[]> {
  const tx = await db.startTransaction().execute();
  await sql`insert into actions (experiment_id, sequence, transition_id, actor_kind)
    values (1, 2, 2, 'engine'), (2, 2, 2, 'engine')`.execute(tx);
  const period = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const rows = await readDurations(tx, scope, { workflowId: 1, ...period, maxStays: 10 });
  await tx.rollback().execute();
  return rows.flatMap(({ cohort_id: cohort }) => cohort ?? []);
}
