/** Walks along the actions in the order in which they were recorded. Those that another has followed are skipped. */
import { sql, type RawBuilder } from 'kysely';
import { idsTogether } from './narrow-ids.ts';
import { beyond, cohortsOf, dense, endOf, idsNamed, order, statesOf, type Walk, type WalkRequest } from './walks.ts';

export const isLatest = sql<boolean>`experiments.action_sequence = near.sequence`;
export const isEntry = sql<boolean>`(near.retry_of is null and (${isLatest} or not exists (
  select from actions as later where later.experiment_id = near.id
    and later.sequence > near.sequence and later.retry_of is null)))`;

export const byAction =
  (isCurrent: RawBuilder<boolean>) =>
  (request: WalkRequest): Walk => {
    const { isDescending, after } = request;
    const [candidate, narrowed] = [mayMatch(request), narrow(request)];
    return {
      near: (
        limit,
      ) => sql`select actions.experiment_id as id, actions.id as key, actions.sequence, actions.retry_of, actions.transition_id
        from actions where actions.id ${beyond(isDescending)} ${after?.key ?? endOf(isDescending)}::bigint
        order by ${order(isDescending, sql`actions.id`)} limit ${sql.lit(limit)}`,
      buffersOfRow: narrowed ? narrowedRow : dense,
      ofIds: { filter: narrowed ?? candidate, isCurrent },
    };
  };

/** With a search in the index of states for each of the few actions that lead there. */
const narrowedRow = 0.045;

/** An experiment is where the transition of its latest action leads. Few actions lead to the states of a query. */
function mayMatch(request: WalkRequest): RawBuilder<boolean> {
  const states = statesOf(request);
  const named = [
    ...(states ? [sql`transitions.destination_state_id = any(${states}::bigint[])`] : []),
    ...idsNamed(request.query, 'workflow').map((ids) => sql`transitions.workflow_id = any(${ids}::bigint[])`),
  ];
  if (named.length === 0) return sql<boolean>`true`;
  return sql<boolean>`near.transition_id = any(array(
    select transitions.id from transitions where ${sql.join(named, sql` and `)}))`;
}

/** Those of other cohorts are left out without a lookup. */
function narrow(request: WalkRequest): RawBuilder<boolean> | undefined {
  const candidate = mayMatch(request);
  const together = cohortsOf(request) && idsTogether(request, sql`array(select near.id from near where ${candidate})`);
  return together && sql<boolean>`${candidate} and near.id = any(array(${together}))`;
}
