/**
 * The workflow of a run. Everything begins and ends in `ready`: people move between `ready` and `back`, and from `ready`
 * into states with callbacks, out of which the engine alone leads back, whatever came of them.
 */
import { pulledQueue } from './settings.ts';

const callbacks = (receiver: string): Record<string, string> => ({
  call: `function: http, callback_arguments: {url: "${receiver}/call"}, run_timeout: 2`,
  slow: `function: http, callback_arguments: {url: "${receiver}/slow"}, run_timeout: 2`,
  flaky: `function: http, callback_arguments: {url: "${receiver}/flaky"}, run_timeout: 2`,
  // Long enough for several attempts that are forgotten one after the other.
  pulled: `function: worker, callback_arguments: {queue: ${pulledQueue}}, run_timeout: 15`,
  // Longer than it may: its run is timed out.
  sleep: 'function: sleep, callback_arguments: {seconds: 600}, run_timeout: 1',
  // Nobody reports: its wait is timed out.
  wait: 'function: wait, wait_timeout: 1',
});

export const workflowLabel = 'faults';

export function workflowOf(receiver: string): string {
  const states = Object.entries(callbacks(receiver));
  const ways = ['back', ...states.map(([label]) => label)].map((label) => `{destination: ${label}, by: person}`);
  return `label: ${workflowLabel}
initial: ready
states:
  - {label: ready, transitions: [${ways.join(', ')}]}
  - {label: back, transitions: [{destination: ready, by: person}]}
${states.map(([label, callback]) => stateOf(label, callback)).join('\n')}
`;
}

const stateOf = (label: string, callback: string) => `  - label: ${label}
    callbacks: [{label: ${label}, ${callback}}]
    transitions: [{destination: ready, by: engine}]`;
