/**
 * A workflow file in which each state has a callback and ten transitions with conditions. The largest supported workflow has 200
 * states.
 */

const maxStates = 200;
const transitionsPerState = 10;

const transition = (to: number, number: number): string => {
  const condition = `callbacks['c'].result == 'success' && experiment.variables['v${number}'] == ${number}`;
  return `      - {destination: s${to}, condition: "${condition}"}\n`;
};

function state(index: number, states: number, waitMinutes: number): string {
  const callback = `      - {label: c, function: http, callback_arguments: {url: x${index}}, wait_timeout: ${waitMinutes}}\n`;
  const transitions = Array.from({ length: transitionsPerState }, (_, number) =>
    transition((index + number + 1) % states, number),
  );
  return `  - label: s${index}\n    callbacks:\n${callback}    transitions:\n${transitions.join('')}`;
}

const fileOf = (label: string, states: number, waitMinutes: number): string =>
  `label: ${label}\ninitial: s0\nstates:\n${Array.from({ length: states }, (_, index) => state(index, states, waitMinutes)).join('')}`;

export const largeWorkflow = (label: string, states = maxStates): string => fileOf(label, states, 5);

/** The same workflow with a change to every callback and to one transition of each state. */
export const changedLargeWorkflow = (label: string, states = maxStates): string =>
  fileOf(label, states, 6).replaceAll('== 3"', '== 4"');
