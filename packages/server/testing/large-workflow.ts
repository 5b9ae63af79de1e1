/**
 * A definition with a callback in each state and ten transitions with conditions out of it. The largest that is promised has 200
 * states.
 */

const mostStates = 200;
const waysOut = 10;

const transition = (to: number, way: number): string => {
  const condition = `callbacks['c'].result == 'success' && experiment.variables['v${way}'] == ${way}`;
  return `      - {destination: s${to}, condition: "${condition}"}\n`;
};

function state(index: number, states: number, waitMinutes: number): string {
  const callback = `      - {label: c, function: http, callback_arguments: {n: ${index}}, wait_timeout: ${waitMinutes}}\n`;
  const transitions = Array.from({ length: waysOut }, (_, way) => transition((index + way + 1) % states, way));
  return `  - label: s${index}\n    callbacks:\n${callback}    transitions:\n${transitions.join('')}`;
}

const fileOf = (label: string, states: number, waitMinutes: number): string =>
  `label: ${label}\ninitial: s0\nstates:\n${Array.from({ length: states }, (_, index) => state(index, states, waitMinutes)).join('')}`;

export const largeWorkflow = (label: string, states = mostStates): string => fileOf(label, states, 5);

/** Every callback differs, and one transition out of each state. */
export const changedLargeWorkflow = (label: string, states = mostStates): string =>
  fileOf(label, states, 6).replaceAll('== 3"', '== 4"');
