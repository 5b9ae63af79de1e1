/**
 * Evaluates whether a condition holds, and why. An empty condition holds. A condition that cannot be evaluated, or whose result
 * is neither true nor false, does not hold and is not `decided`: a transition is not taken, and a callback fails instead of being
 * skipped.
 */
import { evaluate, type Evaluation } from './evaluation.ts';
import { evaluatedParts, reasonFor, type ConditionPart } from './explanation.ts';
import type { ConditionInputs } from './names.ts';
import type { Condition } from './syntax.ts';
import { maxSteps } from './values.ts';

export type { CallbackOutcome, ConditionInputs } from './names.ts';
export type { ConditionPart } from './explanation.ts';

export interface Verdict {
  holds: boolean;
  /** False if it could not be evaluated or its result is neither true nor false. */
  decided: boolean;
  /** One sentence. */
  reason: string;
  parts: ConditionPart[];
}

export function evaluateCondition({ ast }: Condition, inputs: ConditionInputs): Verdict {
  if (!ast) return { holds: true, decided: true, reason: 'There is no condition.', parts: [] };
  const run: Evaluation = { inputs: { ...inputs }, steps: maxSteps, outcomes: new Map() };
  const outcome = evaluate(ast, run);
  const parts = evaluatedParts(ast, run);
  return {
    holds: outcome === true,
    decided: typeof outcome === 'boolean',
    reason: reasonFor(ast, outcome, run),
    parts,
  };
}
