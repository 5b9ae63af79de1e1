/** (d) Every move has exactly one execution for each callback of the state it led to, and none besides. */
import { groupBy, type Checker } from './evidence.ts';

export const oneExecutionEach: Checker = ({ actions, executions, callbacks }) => {
  const made = groupBy(executions, ({ action_id }) => action_id);
  const wanted = groupBy(callbacks, ({ state }) => state);
  const known = new Set(actions.map(({ id }) => id));
  const orphans = executions.filter(({ action_id }) => !known.has(action_id));
  return [
    ...orphans.map(({ id }) => `Execution ${id} belongs to no action.`),
    ...actions.flatMap(({ id, destination }) => {
      const has = sorted((made.get(id) ?? []).map(({ callback_id }) => callback_id));
      const should = sorted((wanted.get(destination) ?? []).map((callback) => callback.id));
      return has === should ? [] : [`Action ${id} to ${destination} ran the callbacks [${has}], not [${should}].`];
    }),
  ];
};

const sorted = (ids: readonly number[]) => ids.toSorted((one, other) => one - other).join(', ');
