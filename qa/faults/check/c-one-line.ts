/** (c) The changes of each experiment form one line: no gap, no fork, each begins where the one before ended. */
import { groupBy, type ActionRow, type Checker, type EntryRow, type ExperimentRow } from './evidence.ts';

export const oneLine: Checker = ({ experiments, actions, entries }) => {
  const actionsOf = groupBy(actions, ({ experiment_id }) => experiment_id);
  const entriesOf = groupBy(entries, ({ experiment_id }) => experiment_id);
  return experiments.flatMap((experiment) => [
    ...faultsOfActions(experiment, actionsOf.get(experiment.id) ?? []),
    ...faultsOfEntries(experiment, entriesOf.get(experiment.id) ?? []),
  ]);
};

function faultsOfActions({ id, state, action_sequence }: ExperimentRow, actions: readonly ActionRow[]): string[] {
  const line = actions.toSorted((one, other) => one.sequence - other.sequence);
  const said = (what: string) => `Experiment ${id}: ${what}`;
  const broken = line.flatMap((action, index) => {
    const expected = index + 1;
    if (action.sequence !== expected) return [said(`action ${action.sequence} stands where ${expected} should.`)];
    const before = line[index - 1];
    return before && before.destination !== action.source
      ? [said(`action ${expected} leaves ${action.source}, but the one before led to ${before.destination}.`)]
      : [];
  });
  const last = line.at(-1);
  if (last?.sequence !== action_sequence)
    broken.push(said(`it counts ${action_sequence} actions, not ${line.length}.`));
  if (last?.destination !== state) broken.push(said(`it is in ${state}, but was led to ${last?.destination}.`));
  return broken;
}

/** In the order in which they were written. */
function faultsOfEntries({ id, state }: ExperimentRow, entries: readonly EntryRow[]): string[] {
  const moves = entries.filter(({ action_id }) => action_id !== null).toSorted((one, other) => one.id - other.id);
  const broken = moves.flatMap((entry, index) => {
    const before = moves[index - 1]?.to ?? null;
    return entry.from === before
      ? []
      : [`Experiment ${id}: entry ${entry.id} begins in ${entry.from}, not in ${before}.`];
  });
  const end = moves.at(-1)?.to;
  return end === state ? broken : [...broken, `Experiment ${id}: its history ends in ${end}, but it is in ${state}.`];
}
