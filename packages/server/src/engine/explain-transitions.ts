/**
 * Says of each way out of a state whether it can be taken now and, if not, why not (rule 8): the condition, the value of
 * each part of it, who may take it, and the permission that is missing.
 */
import type { MoveInputs } from '../store/move-inputs.ts';
import { evaluateCondition, type ConditionInputs, type ConditionPart } from './conditions/evaluate-condition.ts';
import type { StateModel, TransitionModel } from './workflow-model.ts';

export interface TransitionVerdict {
  transition: TransitionModel;
  allowed: boolean;
  /** Empty where it can be taken. */
  reason: string;
  conditionHolds: boolean;
  conditionParts: ConditionPart[];
  missingPermission: string | null;
}

export type Mover = 'person' | 'engine';

/** `missingPermission` is what the person lacks to move anything at all. */
export function explainTransitions(
  state: StateModel,
  inputs: MoveInputs,
  { mover, missingPermission = null }: { mover: Mover; missingPermission?: string | null },
): TransitionVerdict[] {
  const seen = conditionInputs(inputs);
  return state.transitions.map((transition) => {
    const verdict = judge(transition, seen);
    const mayTake = transition.by === 'both' || transition.by === mover;
    const reasons = [
      ...(inputs.withdrawn ? [withdrawnDetail] : []),
      ...(mayTake ? [] : [reservedFor(transition.by)]),
      ...(missingPermission === null ? [] : [`You lack the permission ${missingPermission}.`]),
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

export const withdrawnDetail = 'The subject has withdrawn, and its experiments stay where they are.';

const reservedFor = (by: TransitionModel['by']) =>
  by === 'engine'
    ? 'Only the engine takes this way, when the callbacks of the state have ended.'
    : 'Only a person takes this way.';

export function judge({ read }: TransitionModel, inputs: ConditionInputs) {
  const condition = read();
  if (condition) return evaluateCondition(condition, inputs);
  return { holds: false, reason: 'Its condition cannot be read: import the workflow again.', parts: [] };
}

/** What conditions may name, from what was read. */
export const conditionInputs = (inputs: MoveInputs): ConditionInputs => ({
  experiment: {
    label: inputs.label,
    scandate: inputs.scandate,
    state: inputs.state_label,
    variables: inputs.variables,
    external_ids: inputs.external_ids,
  },
  subject: { label: inputs.subject_label, external_ids: inputs.subject_external_ids },
  cohort: { label: inputs.cohort_label },
  callbacks: Object.fromEntries(inputs.executions.map((execution) => [execution.callback, execution])),
  now: inputs.now,
});
