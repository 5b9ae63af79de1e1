/** (b) The history contains no unintended change: a client requested each move of a user, and callbacks caused all others. */
import { groupBy, type ActionRow, type Checker, type Evidence } from './evidence.ts';

export const intendedOnly: Checker = (evidence) => [
  ...unexpectedExperiments(evidence),
  ...unintendedActions(evidence),
  ...unknownEntries(evidence),
];

function unexpectedExperiments({ created, experiments }: Evidence): string[] {
  const known = new Set(created.map(({ experiment }) => experiment));
  const existing = new Set(experiments.map(({ id }) => id));
  return [
    ...experiments.filter(({ id }) => !known.has(id)).map(({ id }) => `No client created experiment ${id}.`),
    ...[...known].filter((id) => !existing.has(id)).map((id) => `Experiment ${id} no longer exists.`),
  ];
}

function unintendedActions({ intents, actions, executions }: Evidence): string[] {
  const moves = new Map(intents.flatMap(({ token, move }) => (move ? [[token, move]] : [])));
  const executionsOf = groupBy(executions, ({ action_id }) => action_id);
  const bySequence = new Map(actions.map((action) => [keyOf(action), action]));
  const isIntended = (action: ActionRow): boolean => {
    if (action.sequence === 1) return action.freetext === '';
    if (action.actor_kind === 'user') {
      const move = moves.get(action.freetext);
      return move?.experiment === action.experiment_id && move.to === action.destination;
    }
    // The engine moves to `ready` when the callbacks of the previous state have finished.
    const previous = bySequence.get(keyOf({ ...action, sequence: action.sequence - 1 }));
    const before = executionsOf.get(previous?.id ?? 0) ?? [];
    return action.destination === 'ready' && before.length > 0 && before.every(({ finished }) => finished !== null);
  };
  return actions
    .filter((action) => !isIntended(action))
    .map(
      ({ id, experiment_id, destination }) =>
        `Action ${id} was not intended: experiment ${experiment_id} to ${destination}.`,
    );
}

const keyOf = ({ experiment_id, sequence }: Pick<ActionRow, 'experiment_id' | 'sequence'>) =>
  `${experiment_id}/${sequence}`;

/** Entries about an action that does not exist or that differs from the entry. */
function unknownEntries({ entries, actions }: Evidence): string[] {
  const byId = new Map(actions.map((action) => [action.id, action]));
  return entries.flatMap((entry) => {
    if (entry.action_id === null) return [];
    const action = byId.get(entry.action_id);
    const isTrue = action?.experiment_id === entry.experiment_id && action.destination === entry.to;
    return isTrue ? [] : [`History entry ${entry.id} records an action that does not exist.`];
  });
}
