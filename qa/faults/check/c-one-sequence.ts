/** (c) The changes of each experiment form one sequence without gaps and forks: each starts where the previous one ended. */
import { groupBy, type ActionRow, type Checker, type EntryRow, type ExperimentRow } from './evidence.ts';

export const oneSequence: Checker = ({ experiments, actions, entries }) => {
  const actionsOf = groupBy(actions, ({ experiment_id }) => experiment_id);
  const entriesOf = groupBy(entries, ({ experiment_id }) => experiment_id);
  return experiments.flatMap((experiment) => [
    ...checkActions(experiment, actionsOf.get(experiment.id) ?? []),
    ...checkEntries(experiment, entriesOf.get(experiment.id) ?? []),
  ]);
};

function checkActions({ id, state, action_sequence }: ExperimentRow, actions: readonly ActionRow[]): string[] {
  const sequence = actions.toSorted((one, other) => one.sequence - other.sequence);
  const errors = sequence.flatMap((action, index) => {
    const expected = index + 1;
    if (action.sequence !== expected)
      return [`Experiment ${id}: found action ${action.sequence} instead of ${expected}.`];
    const before = sequence[index - 1];
    return before && before.destination !== action.source
      ? [
          `Experiment ${id}: action ${expected} leaves ${action.source}, but the previous one led to ${before.destination}.`,
        ]
      : [];
  });
  const last = sequence.at(-1);
  if (last?.sequence !== action_sequence)
    errors.push(`Experiment ${id}: action_sequence is ${action_sequence}, but there are ${sequence.length} actions.`);
  if (last?.destination !== state)
    errors.push(`Experiment ${id}: the state is ${state}, but the last action led to ${last?.destination}.`);
  return errors;
}

/** Checks the entries in the order in which they were written. */
function checkEntries({ id, state }: ExperimentRow, entries: readonly EntryRow[]): string[] {
  const moves = entries.filter(({ action_id }) => action_id !== null).toSorted((one, other) => one.id - other.id);
  const errors = moves.flatMap((entry, index) => {
    const before = moves[index - 1]?.to ?? null;
    return entry.from === before
      ? []
      : [`Experiment ${id}: entry ${entry.id} starts in ${entry.from}, not in ${before}.`];
  });
  const end = moves.at(-1)?.to;
  return end === state
    ? errors
    : [...errors, `Experiment ${id}: the history ends in ${end}, but the state is ${state}.`];
}
