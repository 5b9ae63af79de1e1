/**
 * A workflow as the engine knows it: states with their ways out and their callbacks, conditions read once. A model is
 * of one revision; every move says which one it was judged by, so a model that grew old is noticed and read anew.
 */
import type { Db } from '../database/connection.ts';
import {
  findDefinition,
  type DefinedCallback,
  type DefinedTransition,
  type DefinitionRow,
} from '../store/workflow-definition.ts';
import { readCondition, type Condition } from './conditions/parse-condition.ts';

export interface TransitionModel extends DefinedTransition {
  destination: StateModel;
  /**
   * Undefined where the stored text cannot be read: then it never holds. Read when it is first needed: 2,000 at once would
   * hold up everybody for a tenth of a second.
   */
  read: () => Condition | undefined;
}

export interface StateModel {
  id: number;
  label: string;
  /** Those of the definition, in its order. */
  transitions: TransitionModel[];
  callbacks: DefinedCallback[];
}

export interface WorkflowModel {
  id: number;
  label: string;
  revision: number;
  initial: StateModel;
  entryTransitionId: number;
  states: ReadonlyMap<number, StateModel>;
  statesByLabel: ReadonlyMap<string, StateModel>;
}

export interface WorkflowModels {
  /** The living model. One that is kept is taken only if it is of that revision. */
  get: (db: Db, workflowId: number, revision?: number) => Promise<WorkflowModel | undefined>;
}

const mostKept = 200;

export function createWorkflowModels(): WorkflowModels {
  const kept = new Map<number, WorkflowModel>();
  const get = async (db: Db, workflowId: number, revision?: number) => {
    const known = kept.get(workflowId);
    if (known && known.revision === revision) return known;
    const row = await findDefinition(db, workflowId);
    const model = row && toModel(row);
    if (!model) return undefined;
    kept.delete(workflowId);
    for (const oldest of kept.keys()) {
      if (kept.size < mostKept) break;
      kept.delete(oldest);
    }
    kept.set(workflowId, model);
    return model;
  };
  return { get };
}

function toModel(row: DefinitionRow): WorkflowModel | undefined {
  const states = new Map(
    row.states.map(({ id, label }): [number, StateModel] => [id, { id, label, transitions: [], callbacks: [] }]),
  );
  for (const callback of row.callbacks) states.get(callback.state_id)?.callbacks.push(callback);
  for (const transition of row.transitions) addTransition(states, transition);
  const initial = states.get(row.initial_state_id);
  const entry = row.transitions.find(
    (transition) => transition.kind === 'entry' && transition.source_state_id === initial?.id,
  );
  if (!initial || !entry) return undefined;
  const statesByLabel = new Map([...states.values()].map((state) => [state.label, state]));
  return {
    id: row.id,
    label: row.label,
    revision: row.revision,
    initial,
    entryTransitionId: entry.id,
    states,
    statesByLabel,
  };
}

function addTransition(states: ReadonlyMap<number, StateModel>, transition: DefinedTransition): void {
  const destination = states.get(transition.destination_state_id);
  if (transition.kind !== 'defined' || !destination) return;
  let known: { condition: Condition | undefined } | undefined;
  const read = () => (known ??= readCondition(transition.condition, { kind: 'transition' })).condition;
  states.get(transition.source_state_id)?.transitions.push({ ...transition, destination, read });
}
