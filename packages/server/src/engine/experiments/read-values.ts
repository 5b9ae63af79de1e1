/**
 * Reads the result values that a rule needs: those that the conditions of its transitions name, and those that become variables.
 * A state whose conditions and variable maps name none needs no statement.
 */
import type { ValuePath } from '@milepost/definitions';
import type { ActionExecution } from '../../store/experiments/move-inputs.ts';
import { findResultValues, type StoredValue } from '../../store/experiments/result-values.ts';
import type { EngineContext, Snapshot } from './optimistic-lock.ts';
import { joinValues, outermost, pickValues } from './pick-values.ts';
import { pathOf, setsVariables } from './set-variables.ts';
import type { TransitionModel } from './workflow-model.ts';

export interface ValueNeeds {
  /** Those whose conditions are evaluated. */
  transitions: readonly TransitionModel[];
  /** Whether the executions set their variables. */
  variables?: boolean;
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
  const toRead = needed.filter(({ execution, paths }) => execution.result_values === undefined && paths.length > 0);
  const stored =
    toRead.length === 0
      ? new Map<number, StoredValue[]>()
      : await findResultValues(
          db,
          scope,
          inputs,
          toRead.map(({ execution: { id }, paths }) => ({ executionId: id, paths })),
        );
  if (!stored) return undefined;
  const executions = needed.map(({ execution, paths }) => withPicked(execution, paths, stored.get(execution.id)));
  return { ...snapshot, inputs: { ...inputs, executions } };
}

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
