/** The current states that a plan affects, with the number of experiments in each. */
import type { AffectedState } from './state-map.ts';
import type { Db } from '../../database/connection.ts';
import { countExperiments } from '../../store/workflows/import-definition.ts';
import type { CurrentState, CurrentWorkflow, ImportPlan } from '@milepost/definitions';

/** States that are removed or changed, or that have such a callback or outgoing transition. */
export function affectedStates(plan: ImportPlan, current: CurrentWorkflow | undefined): CurrentState[] {
  const { states, callbacks, transitions } = plan;
  const labels = new Set([
    ...[...callbacks.added, ...callbacks.changed.map(([wanted]) => wanted)].map(({ state }) => state),
    ...[...transitions.added, ...transitions.changed.map(([wanted]) => wanted)].map(({ source }) => source),
    ...callbacks.revived.map(([{ state }]) => state),
    ...transitions.revived.map(([{ source }]) => source),
    ...states.changed.map(([{ label }]) => label),
    ...states.retired.map(({ label }) => label),
  ]);
  const ids = new Set([
    ...callbacks.retired.map((callback) => callback.state_id),
    ...transitions.retired.map((transition) => transition.source_state_id),
  ]);
  return (current?.states ?? []).filter(({ id, label, retired }) => !retired && (labels.has(label) || ids.has(id)));
}

/** `routes` maps the label of a removed state to the state that its experiments move to. */
export async function countAffected(
  db: Db,
  states: readonly CurrentState[],
  routes: ReadonlyMap<string, string>,
): Promise<AffectedState[]> {
  const counts = await countExperiments(
    db,
    states.map(({ id }) => id),
  );
  const byId = new Map(counts.map((count) => [count.state_id, count]));
  return states.map(({ id, label }) => ({
    state: label,
    experiments: byId.get(id)?.experiments ?? 0,
    open_executions: byId.get(id)?.open_executions ?? 0,
    goes_to: routes.get(label) ?? null,
  }));
}
