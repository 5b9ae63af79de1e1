/**
 * Whether a condition holds, and why. An empty condition holds. One that cannot be evaluated, or that gives neither true nor
 * false, does not hold and is not `decided`: a transition is then not taken, and a callback fails instead of being skipped
 * (rules 2 and 4 of the engine).
 */
import { evaluate, type Evaluation } from './condition-evaluation.ts';
import { partsSeen, reasonFor, type ConditionPart } from './condition-explanation.ts';
import type { ConditionInputs } from './condition-names.ts';
import type { Condition } from './condition-syntax.ts';
import { mostSteps } from './condition-values.ts';

export type { CallbackOutcome, ConditionInputs } from './condition-names.ts';
export type { ConditionPart } from './condition-explanation.ts';

export interface Verdict {
  holds: boolean;
  /** False where it could not be evaluated or gave neither true nor false. */
  decided: boolean;
  /** One sentence. */
  reason: string;
  parts: ConditionPart[];
}

export function evaluateCondition({ ast }: Condition, inputs: ConditionInputs): Verdict {
  if (!ast) return { holds: true, decided: true, reason: 'There is no condition.', parts: [] };
  const run: Evaluation = { inputs: { ...inputs }, steps: mostSteps, seen: new Map() };
  const outcome = evaluate(ast, run);
  const parts = partsSeen(ast, run);
  return {
    holds: outcome === true,
    decided: typeof outcome === 'boolean',
    reason: reasonFor(ast, outcome, run),
    parts,
  };
}
