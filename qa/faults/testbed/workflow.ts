/**
 * The workflow of a run. Experiments start and end in `ready`. Clients move them between `ready` and `back`, and from `ready`
 * to states with callbacks. From there, the engine moves them back to `ready`, whatever the result.
 */
import { pulledQueue } from './settings.ts';

const callbacks = (receiver: string): Record<string, string> => ({
  call: `function: http, callback_arguments: {url: "${receiver}/call"}, run_timeout: 2`,
  slow: `function: http, callback_arguments: {url: "${receiver}/slow"}, run_timeout: 2`,
  // A program that ends when the test releases it.
  long: 'function: command, callback_arguments: {binary: long}, run_timeout: 30',
  flaky: `function: http, callback_arguments: {url: "${receiver}/flaky"}, run_timeout: 2`,
  // Long enough for several abandoned attempts in a row.
  pulled: `function: worker, callback_arguments: {queue: ${pulledQueue}}, run_timeout: 15`,
  // Sleeps longer than its run timeout.
  sleep: 'function: sleep, callback_arguments: {seconds: 600}, run_timeout: 1',
  // Gets no report, so its wait times out.
  wait: 'function: wait, wait_timeout: 1',
});

export const workflowLabel = 'faults';

export function workflowOf(receiver: string): string {
  const states = Object.entries(callbacks(receiver));
  const transitions = ['back', ...states.map(([label]) => label)].map((label) => `{destination: ${label}, by: person}`);
  return `label: ${workflowLabel}
initial: ready
states:
  - {label: ready, transitions: [${transitions.join(', ')}]}
  - {label: back, transitions: [{destination: ready, by: person}]}
${states.map(([label, callback]) => stateOf(label, callback)).join('\n')}
`;
}

const stateOf = (label: string, callback: string) => `  - label: ${label}
    callbacks: [{label: ${label}, ${callback}}]
    transitions: [{destination: ready, by: engine}]`;
