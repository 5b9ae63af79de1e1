/** Calls the store functions of the attention page and of queries with a scope, for the test of all of them. Each returns the ids that are visible. */
import { sql } from 'kysely';
import type { Database } from '../src/database/connection.ts';
import { countTotals } from '../src/store/experiments/state-counts.ts';
import { allCohorts, type Scope } from '../src/store/scope.ts';
import * as attention from '../src/store/screens/attention.ts';
import { listAttentionGroups } from '../src/store/screens/attention-groups.ts';
import { visibleExperiments } from '../src/store/screens/attention-filter.ts';
import { readFollowUps } from '../src/store/experiments/follow-ups.ts';
import { readsOfBulkOperations } from './scope-of-bulk-operations.ts';
import { readsOfCompletions } from './scope-of-completions.ts';
import { readsOfQueries } from './scope-of-queries.ts';
import { readsOfViews } from './scope-of-views.ts';
import * as decisions from '../src/store/screens/decisions.ts';
import { listRestingStates } from '../src/store/screens/resting-states.ts';

type Read = (scope: Scope, id: number) => Promise<number[]>;

const anyAttention = { waitingHours: 24 };
const wholePage = { limit: 10, offset: 0, after: 0 };

export function readsOfAttention(database: () => Database): Record<string, Read[]> {
  const restingStates = () => listRestingStates(database().db, allCohorts, {});
  const attentionIds = async (scope: Scope, filter: { cohortId?: number }) => {
    const wanted = { ...anyAttention, ...filter };
    const { ids } = await attention.listAttentionKeys(database().db, scope, wanted, wholePage);
    return ids.map((key) => key % decisions.partSize);
  };
  return {
    listAttentionKeys: [(scope) => attentionIds(scope, {}), (scope, id) => attentionIds(scope, { cohortId: id })],
    countAttention: [
      async (scope, id) => {
        const { failed } = await attention.countAttention(database().db, scope, { ...anyAttention, cohortId: id });
        return failed === 0 ? [] : [id];
      },
    ],
    ...readsOfQueries(database),
    ...readsOfCompletions(database),
    ...readsOfViews(database),
    ...readsOfBulkOperations(database),
    listRestingStates: [
      async (scope, id) => (await listRestingStates(database().db, scope, { cohortId: id })).map(() => id),
    ],
    listDecisionKeys: [
      async (scope) => {
        const filter = { states: await restingStates() };
        return (await decisions.listDecisionKeys(database().db, scope, filter, wholePage)).map(
          (row) => row.experimentId,
        );
      },
    ],
    findDecisionPlace: [
      async (scope, id) => {
        const { position } = await decisions.findDecisionPlace(
          database().db,
          scope,
          { states: await restingStates() },
          id,
        );
        return position === null ? [] : [id];
      },
    ],
    listAttentionGroups: [
      async (scope, id) =>
        (await listAttentionGroups(database().db, scope, { cohortId: id })).groups.slice(0, 1).map(() => id),
    ],
    visibleExperiments: [
      async (scope) => {
        const { rows } = await sql<{ id: number }>`
          select experiments.id from experiments where ${visibleExperiments(scope, { assignee: 1 })}`.execute(
          database().db,
        );
        return rows.map(({ id }) => id);
      },
    ],
    readFollowUps: [async (scope, id) => [...(await readFollowUps(database().db, scope, [id])).keys()]],
    countTotals: [
      async (scope, id) => ((await countTotals(database().db, scope, { cohortId: id })).total > 0 ? [id] : []),
    ],
  };
}
