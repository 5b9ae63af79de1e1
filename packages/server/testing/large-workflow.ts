/** The largest definition that is promised: 200 states with a callback each and 2,000 transitions with conditions. */

const states = 200;
const waysOut = 10;

const transition = (from: number, way: number): string => {
  const condition = `callbacks['c'].result == 'success' && experiment.variables['v${way}'] == ${way}`;
  return `      - {destination: s${(from + way + 1) % states}, condition: "${condition}"}\n`;
};

function state(index: number, waitMinutes: number): string {
  const callback = `      - {label: c, function: http, callback_arguments: {n: ${index}}, wait_timeout: ${waitMinutes}}\n`;
  const transitions = Array.from({ length: waysOut }, (_, way) => transition(index, way));
  return `  - label: s${index}\n    callbacks:\n${callback}    transitions:\n${transitions.join('')}`;
}

const fileOf = (label: string, waitMinutes: number): string =>
  `label: ${label}\ninitial: s0\nstates:\n${Array.from({ length: states }, (_, index) => state(index, waitMinutes)).join('')}`;

export const largeWorkflow = (label: string): string => fileOf(label, 5);

/** Every callback and 200 of the transitions are otherwise. */
export const changedLargeWorkflow = (label: string): string => fileOf(label, 6).replaceAll('== 3"', '== 4"');
