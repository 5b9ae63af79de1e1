/**
 * Evaluates the transitions of a state for the engine, in definition order, until one holds. The list of trials becomes the
 * action's return value: for each transition whether its condition held, or null if it was not evaluated.
 */
import type { MoveInputs } from '../../store/experiments/move-inputs.ts';
import { conditionInputs, evaluateTransition } from './explain-transitions.ts';
import type { StateModel, TransitionModel } from './workflow-model.ts';

export interface Trial {
  transition_id: number;
  destination: string;
  condition: string;
  test_result: boolean | null;
  reason: string;
}

export function chooseTransition(state: StateModel, inputs: MoveInputs) {
  const values = conditionInputs(inputs);
  let chosen: TransitionModel | undefined;
  const trials = state.transitions.map((transition): Trial => {
    const named = {
      transition_id: transition.id,
      destination: transition.destination.label,
      condition: transition.condition,
    };
    if (transition.by === 'person')
      return { ...named, test_result: null, reason: 'Only a user can take this transition.' };
    if (chosen)
      return { ...named, test_result: null, reason: `The transition to ${chosen.destination.label} comes first.` };
    const { holds, reason } = evaluateTransition(transition, values);
    if (holds) chosen = transition;
    return { ...named, test_result: holds, reason };
  });
  return { trials, chosen };
}
