/** (b) Nothing is in the history that nobody intended: moves of people were asked for, all others follow from a callback. */
import { groupBy, type ActionRow, type Checker, type Evidence } from './evidence.ts';

export const intendedOnly: Checker = (evidence) => [
  ...strangers(evidence),
  ...unintendedActions(evidence),
  ...unknownEntries(evidence),
];

function strangers({ created, experiments }: Evidence): string[] {
  const known = new Set(created.map(({ experiment }) => experiment));
  const there = new Set(experiments.map(({ id }) => id));
  return [
    ...experiments.filter(({ id }) => !known.has(id)).map(({ id }) => `Nobody made experiment ${id}.`),
    ...[...known].filter((id) => !there.has(id)).map((id) => `Experiment ${id} is gone.`),
  ];
}

function unintendedActions({ intents, actions, executions }: Evidence): string[] {
  const moves = new Map(intents.flatMap(({ token, move }) => (move ? [[token, move]] : [])));
  const tried = groupBy(executions, ({ action_id }) => action_id);
  const byPlace = new Map(actions.map((action) => [placeOf(action), action]));
  const isIntended = (action: ActionRow): boolean => {
    if (action.sequence === 1) return action.freetext === '';
    if (action.actor_kind === 'user') {
      const move = moves.get(action.freetext);
      return move?.experiment === action.experiment_id && move.to === action.destination;
    }
    // The engine leads to `ready`, when what was called for in the state before has ended.
    const before = byPlace.get(placeOf({ ...action, sequence: action.sequence - 1 }));
    const ended = tried.get(before?.id ?? 0) ?? [];
    return action.destination === 'ready' && ended.length > 0 && ended.every(({ finished }) => finished !== null);
  };
  return actions
    .filter((action) => !isIntended(action))
    .map(({ id, experiment_id, destination }) => `Nobody intended action ${id}: ${experiment_id} to ${destination}.`);
}

const placeOf = ({ experiment_id, sequence }: Pick<ActionRow, 'experiment_id' | 'sequence'>) =>
  `${experiment_id}/${sequence}`;

/** An entry about an action that is not there, or says something else than it. */
function unknownEntries({ entries, actions }: Evidence): string[] {
  const byId = new Map(actions.map((action) => [action.id, action]));
  return entries.flatMap((entry) => {
    if (entry.action_id === null) return [];
    const action = byId.get(entry.action_id);
    const isTrue = action?.experiment_id === entry.experiment_id && action.destination === entry.to;
    return isTrue ? [] : [`Entry ${entry.id} of the history tells of an action that was never made.`];
  });
}
