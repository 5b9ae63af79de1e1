/** Calls the store functions that count with a scope, for the test of all store functions. Returns the ids of the cohorts that are counted. */
import { sql } from 'kysely';
import type { Database } from '../src/database/connection.ts';
import { countStates } from '../src/store/experiments/state-counts.ts';
import type { Scope } from '../src/store/scope.ts';
import { readWorkflowNumbers } from '../src/store/screens/workflow-numbers.ts';

export const readsOfCounts = (database: () => Database) => ({
  countStates: [
    async (scope: Scope, id: number) => {
      const counted = await countStates(database().db, scope, { workflowId: 1, cohortId: id });
      return counted.flatMap(({ experiments }) => (experiments > 0 ? [id] : []));
    },
  ],
  readWorkflowNumbers: [(scope: Scope, id: number) => isCounted(database(), scope, id)],
});

const many = 1000;

/** The cohort gets many experiments, which other calls do not see. */
async function isCounted({ db }: Database, scope: Scope, id: number): Promise<number[]> {
  const tx = await db.startTransaction().execute();
  await sql`insert into workflow_revisions (workflow_id, revision, definition, definition_hash) values (1, 1, '', repeat('0', 64))`.execute(
    tx,
  );
  await sql`insert into state_count_deltas (state_id, cohort_id, experiments) values (1, ${id}, ${many})`.execute(tx);
  const numbers = await readWorkflowNumbers(tx, scope, [1]);
  await tx.rollback().execute();
  const experiments = numbers.flatMap(({ states }) => states.map((state) => state.experiments));
  return experiments.some((count) => count >= many) ? [id] : [];
}
