/**
 * A workflow as the model knows it. A condition comes with a predicate over what the model sees: who made the condition
 * knows when it holds, so the model never reads its text.
 */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Values = Record<string, Json>;

/** `unfit`: it cannot be evaluated, or gives neither true nor false. */
export type Verdict = boolean | 'unfit';

/** What a condition may look at. In a callback's own condition there are no callbacks. */
export interface Sight {
  state: string;
  variables: Values;
  callbacks: Record<string, { status: string; result: string; values: Values }>;
}

export interface Condition {
  text: string;
  /** The callbacks that it names. */
  reads: string[];
  judge: (seen: Sight) => Verdict;
}

export interface Callback {
  label: string;
  condition: Condition;
  /** Seconds. */
  initialDelay: number;
  /** Minutes; 0 is no limit. */
  runTimeout: number;
  /** Minutes; 0 is no waiting. */
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
  if (!state) throw new Error(`the model lost the state ${label}`);
  return state;
}
