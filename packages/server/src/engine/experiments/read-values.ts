/**
 * Reads the values that a rule needs and that are not part of every snapshot: those that its conditions name, and those that become
 * variables. If they name none, no statement is sent.
 */
import type { ObjectField, ValuePath, ValueRead } from '@milepost/definitions';
import type { ActionExecution, MoveInputs } from '../../store/experiments/move-inputs.ts';
import {
  findConditionValues,
  type ConditionReads,
  type StoredValue,
} from '../../store/experiments/condition-values.ts';
import type { EngineContext, Snapshot } from './optimistic-lock.ts';
import { joinValues, outermost, pickValues } from './pick-values.ts';
import { pathOf, setsVariables } from './set-variables.ts';

/** What a condition reads. */
export interface Reading {
  valueReads: () => readonly ValueRead[];
  fieldReads: () => ReadonlySet<ObjectField>;
}

export interface ValueNeeds {
  /** Those whose conditions are evaluated. */
  transitions: readonly Reading[];
  /** Whether the executions set their variables. */
  variables?: boolean;
}

interface NeededPaths {
  execution: ActionExecution;
  paths: ValuePath[];
}

/**
 * The snapshot with these values and no others. Values that an execution already has in the snapshot are not read. Undefined on a
 * conflict with another change.
 */
export async function withValues<S extends Snapshot>(
  { db, scope }: EngineContext,
  snapshot: S,
  needs: ValueNeeds,
): Promise<S | undefined> {
  const { inputs } = snapshot;
  const needed = inputs.executions.map((execution) => ({ execution, paths: pathsFor(execution, needs) }));
  const reads = readsFor(needed, needs);
  const found = isEmpty(reads) ? nothing : await findConditionValues(db, scope, inputs, reads);
  if (!found) return undefined;
  const { variables, external_ids, subject_external_ids, result_values: stored } = found;
  const read = {
    ...inputs,
    ...(variables && { variables }),
    ...(external_ids && { external_ids }),
    ...(subject_external_ids && { subject_external_ids }),
    executions: needed.map(({ execution, paths }) => withPicked(execution, paths, stored.get(execution.id))),
  } satisfies MoveInputs;
  return { ...snapshot, inputs: read };
}

const nothing = {
  variables: null,
  external_ids: null,
  subject_external_ids: null,
  result_values: new Map<number, StoredValue[]>(),
};

function readsFor(needed: readonly NeededPaths[], { transitions }: ValueNeeds): ConditionReads {
  const names = (field: ObjectField) => transitions.some(({ fieldReads }) => fieldReads().has(field));
  return {
    variables: names('experiment.variables'),
    externalIds: names('experiment.external_ids'),
    subjectExternalIds: names('subject.external_ids'),
    resultValues: needed
      .filter(({ execution, paths }) => execution.result_values === undefined && paths.length > 0)
      .map(({ execution: { id }, paths }) => ({ executionId: id, paths })),
  };
}

const isEmpty = ({ variables, externalIds, subjectExternalIds, resultValues }: ConditionReads) =>
  !variables && !externalIds && !subjectExternalIds && resultValues.length === 0;

function pathsFor(execution: ActionExecution, { transitions, variables = false }: ValueNeeds): ValuePath[] {
  const reads = transitions.flatMap(({ valueReads }) => valueReads());
  const inConditions = reads.filter(({ callback }) => callback === undefined || callback === execution.callback);
  const pointers = variables && setsVariables(execution) ? Object.values(execution.variable_map) : [];
  return outermost([...inConditions.map(({ path }) => path), ...pointers.map(pathOf)]);
}

function withPicked(
  { result_values: known, ...execution }: ActionExecution,
  paths: readonly ValuePath[],
  stored: readonly StoredValue[] | undefined,
): ActionExecution {
  if (paths.length === 0) return execution;
  const picked = stored
    ? joinValues(paths.map((path, index) => ({ kinds: [], value: null, ...stored[index], path })))
    : pickValues(known, paths);
  return { ...execution, result_values: picked };
}
