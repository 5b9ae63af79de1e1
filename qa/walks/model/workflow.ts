/**
 * A workflow in the model. A condition has a function with the meaning of its text, so the model never parses the text.
 */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Values = Record<string, Json>;

/** `invalid`: it cannot be evaluated, or its result is neither true nor false. */
export type Verdict = boolean | 'invalid';

/** The values that a condition can read. In the condition of a callback there are no callbacks. */
export interface ConditionInput {
  state: string;
  variables: Values;
  callbacks: Record<string, { status: string; result: string; values: Values }>;
}

export interface Condition {
  text: string;
  /** The callbacks that it refers to. */
  reads: string[];
  evaluate: (input: ConditionInput) => Verdict;
}

export interface Callback {
  label: string;
  condition: Condition;
  /** Seconds. */
  initialDelay: number;
  /** Minutes. 0 means no limit. */
  runTimeout: number;
  /** Minutes. 0 means that it cannot wait. */
  waitTimeout: number;
  /** From the name of a variable to a pointer into result_values. */
  variableMap: Record<string, string>;
}

export type Mover = 'person' | 'engine';

export interface Transition {
  destination: string;
  by: Mover | 'both';
  condition: Condition;
}

export interface State {
  label: string;
  callbacks: Callback[];
  transitions: Transition[];
}

export interface Workflow {
  initial: string;
  states: State[];
}

export const findState = ({ states }: Workflow, label: string): State | undefined =>
  states.find((state) => state.label === label);

export function getState(workflow: Workflow, label: string): State {
  const state = findState(workflow, label);
  if (!state) throw new Error(`The model has no state ${label}.`);
  return state;
}
