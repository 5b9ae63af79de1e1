/** The workflow file of a workflow of the model, as JSON, which is valid YAML. */
import type { Callback, State, Transition, Workflow } from '../model/workflow.ts';

export interface Naming {
  label: string;
  queue: string;
}

export const definitionOf = ({ initial, states }: Workflow, naming: Naming): string =>
  JSON.stringify({ label: naming.label, initial, states: states.map((state) => defineState(state, naming)) });

const defineState = ({ label, callbacks, transitions }: State, naming: Naming) => ({
  label,
  ...(callbacks.length > 0 && { callbacks: callbacks.map((callback) => defineCallback(callback, naming)) }),
  ...(transitions.length > 0 && { transitions: transitions.map(defineTransition) }),
});

/** Omits default values, which makes the text shorter for readers and parser. */
const unless = <T>(name: string, usual: T, value: T) => (value === usual ? {} : { [name]: value });

const defineTransition = ({ destination, by, condition }: Transition) => ({
  destination,
  ...unless('by', 'both', by),
  ...unless('condition', '', condition.text),
});

const defineCallback = ({ label, condition, ...callback }: Callback, { queue }: Naming) => ({
  label,
  function: 'worker',
  callback_arguments: { queue },
  ...unless('condition', '', condition.text),
  ...unless('initial_delay', 0, callback.initialDelay),
  ...unless('run_timeout', 60, callback.runTimeout),
  ...unless('wait_timeout', 0, callback.waitTimeout),
  ...(Object.keys(callback.variableMap).length > 0 && { variable_map: inOrder(callback.variableMap) }),
});

/** The body of PUT /callbacks/{id}. */
export const settingsOf = ({ condition, initialDelay, runTimeout, waitTimeout }: Callback) => ({
  condition: condition.text,
  initial_delay: initialDelay,
  run_timeout: runTimeout,
  wait_timeout: waitTimeout,
});

export type Settings = ReturnType<typeof settingsOf>;

const inOrder = (map: Record<string, string>) =>
  Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** One line per state, for readers. */
export function inLines(text: string): string {
  const { initial, states } = JSON.parse(text) as { initial: string; states: object[] };
  return [`from ${initial}:`, ...states.map((state) => JSON.stringify(state))].join('\n     ');
}
