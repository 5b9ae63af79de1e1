import type { StateCounts } from './use-workflow.ts';

interface State {
  id: number;
  label: string;
}

export type SelectedState = State | 'unknown';

/**
 * The state that the URL names, or undefined if it names none. A retired state is not in the graph, but has counts while it
 * contains experiments. Until the counts are loaded, the state of the URL is shown without a label.
 */
export function selectedState(
  id: number | undefined,
  states: readonly State[],
  counts: readonly Pick<StateCounts, 'state'>[] | undefined,
): SelectedState | undefined {
  if (id === undefined) return undefined;
  const known = [...states, ...(counts ?? []).map(({ state }) => state)].find((state) => state.id === id);
  if (known) return known;
  return counts === undefined ? { id, label: `State ${id}` } : 'unknown';
}
