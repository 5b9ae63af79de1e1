/**
 * Explains for each transition out of a state whether it can be taken now and, if not, why: the condition, the value of each of
 * its parts, who can take it, and the missing permission.
 */
import type { ActionExecution, MoveInputs } from '../../store/experiments/move-inputs.ts';
import { type ConditionInputs, type ConditionPart, evaluateCondition } from '@milepost/definitions';
import type { StateModel, TransitionModel } from './workflow-model.ts';

export interface TransitionVerdict {
  transition: TransitionModel;
  allowed: boolean;
  /** Empty if the transition can be taken. */
  reason: string;
  conditionHolds: boolean;
  conditionParts: ConditionPart[];
  missingPermission: string | null;
}

export type Mover = 'person' | 'engine';

/** `missingPermission` is the permission that the user needs to move the experiment. */
export function explainTransitions(
  state: StateModel,
  inputs: MoveInputs,
  { mover, missingPermission = null }: { mover: Mover; missingPermission?: string | null },
): TransitionVerdict[] {
  const values = conditionInputs(inputs);
  return state.transitions.map((transition) => {
    const verdict = evaluateTransition(transition, values);
    const mayTake = transition.by === 'both' || transition.by === mover;
    const reasons = [
      ...(inputs.withdrawn ? [withdrawnDetail] : []),
      ...(mayTake ? [] : [reservedFor(transition.by)]),
      ...(missingPermission === null ? [] : [`You need the permission \`${missingPermission}\`.`]),
      ...(verdict.holds ? [] : [verdict.reason]),
    ];
    return {
      transition,
      allowed: reasons.length === 0,
      reason: reasons.join(' '),
      conditionHolds: verdict.holds,
      conditionParts: verdict.parts,
      missingPermission,
    };
  });
}

export const withdrawnDetail = 'The subject has withdrawn, so its experiments cannot move.';

const reservedFor = (by: TransitionModel['by']) =>
  by === 'engine'
    ? 'Only the engine can take this transition, when all callbacks of the state have finished.'
    : 'Only users can take this transition.';

export function evaluateTransition({ read }: TransitionModel, inputs: ConditionInputs) {
  const condition = read();
  if (condition) return evaluateCondition(condition, inputs);
  return { holds: false, reason: 'Its condition cannot be read: import the workflow again.', parts: [] };
}

/** The values that conditions can read. */
export const conditionInputs = (inputs: MoveInputs): ConditionInputs => ({
  experiment: {
    label: inputs.label,
    scandate: inputs.scandate,
    state: inputs.state_label,
    variables: inputs.variables ?? {},
    external_ids: inputs.external_ids ?? {},
  },
  subject: { label: inputs.subject_label, external_ids: inputs.subject_external_ids ?? {} },
  cohort: { label: inputs.cohort_label },
  callbacks: Object.fromEntries(inputs.executions.map((execution) => [execution.callback, outcomeOf(execution)])),
  now: inputs.now,
});

const outcomeOf = ({ status, result, result_values: values }: ActionExecution) => ({
  status,
  result,
  ...(values !== undefined && { result_values: values }),
});
