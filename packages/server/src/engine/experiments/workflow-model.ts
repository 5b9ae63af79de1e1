/**
 * Workflow definitions in memory: states with their transitions and callbacks, each condition parsed once. A model belongs to one
 * revision. Every move names the revision it was evaluated with, so an outdated model is detected and read again.
 */
import type { Decision } from '@milepost/api';
import type { Db } from '../../database/connection.ts';
import {
  findDefinition,
  type DefinedCallback,
  type DefinedTransition,
  type DefinitionRow,
} from '../../store/workflows/engine-definition.ts';
import {
  fieldReadsOf,
  readCondition,
  valueReadsOf,
  type Condition,
  type ObjectField,
  type ValueRead,
} from '@milepost/definitions';

/** What a condition reads. */
export interface Reading {
  valueReads: () => readonly ValueRead[];
  fieldReads: () => ReadonlySet<ObjectField>;
}

export interface TransitionModel extends DefinedTransition, Reading {
  destination: StateModel;
  /**
   * Parses the condition on first use, because parsing 2,000 at once blocks the process for a tenth of a second. Undefined if the
   * stored text is invalid: such a condition never holds.
   */
  read: () => Condition | undefined;
}

export interface StateModel {
  id: number;
  label: string;
  title: string | null;
  /** In definition order, without entry and correction transitions. */
  transitions: TransitionModel[];
  callbacks: DefinedCallback[];
  decision: Decision | null;
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
  /** The current model, from the cache only if the cached revision is the given one. */
  get: (db: Db, workflowId: number, revision?: number) => Promise<WorkflowModel | undefined>;
}

const maxCached = 200;

export function createWorkflowModels(): WorkflowModels {
  const cache = new Map<number, WorkflowModel>();
  const get = async (db: Db, workflowId: number, revision?: number) => {
    const cached = cache.get(workflowId);
    if (cached && cached.revision === revision) return cached;
    const row = await findDefinition(db, workflowId);
    const model = row && toModel(row);
    if (!model) return undefined;
    cache.delete(workflowId);
    for (const oldest of cache.keys()) {
      if (cache.size < maxCached) break;
      cache.delete(oldest);
    }
    cache.set(workflowId, model);
    return model;
  };
  return { get };
}

function toModel(row: DefinitionRow): WorkflowModel | undefined {
  const states = new Map(
    row.states.map((state): [number, StateModel] => [state.id, { ...state, transitions: [], callbacks: [] }]),
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
  let parsed: { condition: Condition | undefined } | undefined;
  const read = () => (parsed ??= readCondition(transition.condition, { kind: 'transition' })).condition;
  let values: readonly ValueRead[] | undefined;
  let fields: ReadonlySet<ObjectField> | undefined;
  const valueReads = () => (values ??= valueReadsOf(read()));
  const fieldReads = () => (fields ??= fieldReadsOf(read()));
  const model = { ...transition, destination, read, valueReads, fieldReads };
  states.get(transition.source_state_id)?.transitions.push(model);
}
