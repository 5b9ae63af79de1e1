/** The names of filters, with the values that they take. */
import { incidentKinds, openStatuses } from '../runs/choices.ts';
import { keysOf } from '../typed-keys.ts';

interface NameRule {
  /** `choice`: one of `values`. `name`: the label of something that exists. `text`: a text, or the beginning of one with `*`. */
  takes: 'choice' | 'name' | 'text' | 'number' | 'date' | 'duration' | 'variable';
  /** What the key after the dot names. */
  key?: 'variable' | 'external system' | 'state' | 'callback';
  /** All values of a choice, or values with a meaning of their own. */
  values?: readonly string[];
  /** For lists of completions. */
  help: string;
}

export const queryNames = {
  state: { takes: 'name', help: 'The label of the state' },
  workflow: { takes: 'name', help: 'The label of the workflow' },
  cohort: { takes: 'name', help: 'The label of the cohort' },
  subject: { takes: 'text', help: 'The label of the subject' },
  label: { takes: 'text', help: 'The label of the experiment' },
  id: { takes: 'number', help: 'The id of the experiment' },
  incident: { takes: 'choice', values: ['any', 'none', ...incidentKinds], help: 'The kind of an open incident' },
  run: { takes: 'choice', values: openStatuses, help: 'The status of an open run' },
  decision: { takes: 'choice', values: ['waiting', 'overdue'], help: 'Waits for a decision' },
  'in-state': { takes: 'duration', help: 'The time in the current state' },
  scanned: { takes: 'date', help: 'The scan date' },
  changed: { takes: 'date', help: 'The start of the latest action' },
  arrived: { takes: 'date', help: 'When it was created' },
  finished: { takes: 'date', help: 'When it entered a final state' },
  entered: { takes: 'date', key: 'state', help: 'When it entered the state' },
  left: { takes: 'date', key: 'state', help: 'When it left the state' },
  decided: { takes: 'date', key: 'state', help: 'When a user moved it out of the state' },
  failed: { takes: 'date', key: 'callback', help: 'When the callback failed or timed out' },
  retried: { takes: 'date', key: 'callback', help: 'When a run of the callback with retries finished' },
  var: { takes: 'variable', key: 'variable', help: 'The value of a variable' },
  external: { takes: 'text', key: 'external system', help: 'The ID in an external system' },
  withdrawn: { takes: 'choice', values: ['yes', 'no'], help: 'Whether the subject has withdrawn' },
  assigned: { takes: 'name', values: ['me', 'nobody'], help: 'The user to whom it is assigned' },
} as const satisfies Record<string, NameRule>;

export type QueryName = keyof typeof queryNames;

export const queryNameList = keysOf(queryNames);

/** The names whose values or keys the server can complete. */
export const completedNames = [
  'state',
  'workflow',
  'cohort',
  'assigned',
  'var',
  'external',
] as const satisfies QueryName[];

export const ruleOf = (name: QueryName): NameRule => queryNames[name];

export const isQueryName = (name: string): name is QueryName => Object.hasOwn(queryNames, name);
