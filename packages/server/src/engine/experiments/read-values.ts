/**
 * Reads the values that a rule needs and that are not part of every snapshot: those that its conditions name, and those that become
 * variables. If they name none, no statement is sent.
 */
import { setImmediate } from 'node:timers/promises';
import type { ObjectField, ValuePath } from '@milepost/definitions';
import type { ActionExecution, MoveInputs } from '../../store/experiments/move-inputs.ts';
import {
  listConditionValues,
  type ConditionReads,
  type FindConditionValues,
  type ReadsOfExperiment,
  type StoredValue,
} from '../../store/experiments/condition-values.ts';
import type { EngineContext, Snapshot } from './optimistic-lock.ts';
import { joinValues, outermost, pickValues } from './pick-values.ts';
import { pathOf, setsVariables } from './set-variables.ts';
import type { Reading } from './workflow-model.ts';

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
  context: EngineContext,
  snapshot: S,
  needs: ValueNeeds,
): Promise<S | undefined> {
  const { inputs } = snapshot;
  const needed = inputs.executions.map((execution) => ({ execution, paths: pathsFor(execution, needs) }));
  const reads = readsFor(needed, needs);
  const { id, version } = inputs;
  const find = context.findValues ?? ((asked) => findValues(context, asked));
  const found = isEmpty(reads) ? nothing : await find({ id, version, reads });
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

const findValues = async ({ db, scope }: EngineContext, asked: ReadsOfExperiment) =>
  (await listConditionValues(db, scope, [asked])).get(asked.id);

/** Reads the values of several experiments with one statement if their rules ask for them at the same time. */
export function findValuesTogether({ db, scope }: EngineContext): FindConditionValues {
  let together: { asked: ReadsOfExperiment[]; found: ReturnType<typeof listConditionValues> } | undefined;
  const readSoon = async (asked: readonly ReadsOfExperiment[]) => {
    await setImmediate();
    together = undefined;
    return listConditionValues(db, scope, asked);
  };
  return async (one) => {
    if (together) together.asked.push(one);
    else {
      const asked = [one];
      together = { asked, found: readSoon(asked) };
    }
    return (await together.found).get(one.id);
  };
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
