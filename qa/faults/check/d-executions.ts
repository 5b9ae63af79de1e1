/** (d) Every move has exactly one execution for each callback of its destination, and no others. */
import { groupBy, type Checker } from './evidence.ts';

export const oneExecutionEach: Checker = ({ actions, executions, callbacks }) => {
  const executionsOf = groupBy(executions, ({ action_id }) => action_id);
  const callbacksOf = groupBy(callbacks, ({ state }) => state);
  const known = new Set(actions.map(({ id }) => id));
  const orphans = executions.filter(({ action_id }) => !known.has(action_id));
  return [
    ...orphans.map(({ id }) => `Execution ${id} belongs to no action.`),
    ...actions.flatMap(({ id, destination }) => {
      const actual = sorted((executionsOf.get(id) ?? []).map(({ callback_id }) => callback_id));
      const expected = sorted((callbacksOf.get(destination) ?? []).map((callback) => callback.id));
      return actual === expected
        ? []
        : [`Action ${id} to ${destination} ran the callbacks [${actual}], not [${expected}].`];
    }),
  ];
};

const sorted = (ids: readonly number[]) => ids.toSorted((one, other) => one - other).join(', ');
