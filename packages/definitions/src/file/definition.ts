/**
 * A workflow definition in two forms: the file as authors write it (`WorkflowFile`, in two layouts), and the form after reading
 * it (`Definition`), in one layout with all defaults filled in and all conditions in CEL. Equivalent files have the same
 * definition.
 */
import { Colour, outcomes, Title, values as v, type Decision, type Outcome } from '@milepost/api';
import { Type, type TSchema } from 'typebox';
import { functionNames } from '../callback-arguments.ts';
import { DecisionInFile } from './decision-schema.ts';

export interface DefinitionCallback {
  label: string;
  function: string;
  callback_arguments: Record<string, unknown>;
  condition: string;
  description: string;
  /** Seconds. */
  initial_delay: number;
  /** Minutes. */
  run_timeout: number;
  /** Minutes. */
  wait_timeout: number;
  /** Minutes. */
  retry_for: number;
  /** Seconds. */
  retry_first: number;
  /** From variable names to JSON pointers into result_values. */
  variable_map: Record<string, string>;
}

export const movers = ['person', 'engine', 'both'] as const;
export type Mover = (typeof movers)[number];

export interface DefinitionTransition {
  destination: string;
  condition: string;
  by: Mover;
  title?: string;
}

/** How pages show a state, and whether users decide there. A field that the file does not set is absent, and so not hashed. */
export interface StateLook {
  title?: string;
  colour?: string;
  outcome?: Outcome;
  decision?: Decision;
}

export interface DefinitionState extends StateLook {
  label: string;
  freetext: string;
  callbacks: DefinitionCallback[];
  transitions: DefinitionTransition[];
}

export interface Definition {
  label: string;
  /** The label of the state in which experiments start. */
  initial: string;
  states: DefinitionState[];
}

/** The order of variables has no meaning and the database does not keep it, so definitions sort them. */
export const sortByName = (map: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));

export const callbackDefaults = { initial_delay: 0, run_timeout: 60, wait_timeout: 0, retry_for: 45, retry_first: 5 };

const optional = <S extends TSchema>(schema: S, description: string) => Type.Optional({ ...schema, description });
const whole = (maximum: number, minimum = 0) => Type.Integer({ minimum, maximum });
const Condition = Type.Union([Type.String(), Type.Boolean()]);
const ObjectOrText = Type.Union([v.JsonObject, Type.String()]);
const VariableMap = Type.Union([v.mapOf(Type.String(), { propertyNames: v.Label }), Type.String()]);

const callbackOptions = {
  callback_arguments: optional(
    ObjectOrText,
    'The arguments of the function: an object, or the same as JSON or YAML text. Placeholders such as ' +
      '{{experiment.label}} are filled in for each run.',
  ),
  condition: optional(
    Condition,
    'The callback is skipped if this condition is not met when it is about to start. Empty if it always runs.',
  ),
  description: optional(v.LongText, 'A description of the callback.'),
  initial_delay: optional(whole(31_536_000), 'Seconds to wait before the run. Default: 0.'),
  run_timeout: optional(
    whole(5_256_000),
    'The time limit of the run in minutes, over all attempts. Time between attempts does not count. 0 means no limit. ' +
      'Default: 60.',
  ),
  wait_timeout: optional(
    whole(5_256_000),
    'Minutes to wait for a report after a successful run. 0 means that the callback does not wait. Default: 0.',
  ),
  retry_for: optional(
    whole(10_080),
    'Minutes for which a temporary failure is retried, from the first failure in a row. 0 means no retry. Default: 45.',
  ),
  retry_first: optional(
    whole(300, 1),
    'Seconds before the first retry. The pause doubles with each further failure, up to 5 minutes. Default: 5.',
  ),
  variable_map: optional(
    VariableMap,
    'Variables of the experiment to set after success. Each name maps to a JSON pointer into the result values. A bare ' +
      'name means /name.',
  ),
};

const Function = {
  ...v.Label,
  description: `The function to run: ${functionNames.join(', ')}, or the name of a queue for your own workers.`,
};

const Callback = v.closed({
  label: { ...v.Label, description: 'Unique in its state. Conditions refer to it as callbacks[label].' },
  function: Function,
  ...callbackOptions,
});

/** In the older layout, fields that are not options are arguments of the function. */
const OlderCallback = Type.Union(
  [
    Type.String({ description: 'The name of a function, or the object below as JSON or YAML text.' }),
    Type.Object({ label: Type.Optional(v.Label), function: Function, ...callbackOptions }),
  ],
  { description: 'Older layout: the only callback of the state. Use `callbacks` instead.' },
);

const Destination = { ...v.Label, description: 'The label of the destination state.' };
const transitionOptions = {
  condition: optional(
    Condition,
    'The transition can be taken if this condition is met. Empty if it can always be taken.',
  ),
  by: optional(v.oneOf(movers), 'Who can take the transition: users (person), the engine, or both. Default: both.'),
  title: optional(Title, 'The text of the button that takes the transition. Default: the title of the destination.'),
};
const Transition = v.closed({ destination: Destination, ...transitionOptions });
const OlderTransition = v.closed({
  source: { ...v.Label, description: 'The label of the source state.' },
  destination: Destination,
  ...transitionOptions,
});

const State = v.closed({
  label: { ...v.Label, description: 'Unique in this file.' },
  freetext: optional(v.LongText, 'A description of the state.'),
  callbacks: optional(
    Type.Array(Callback),
    'The callbacks that run when an experiment enters the state. Without callbacks, only users can move the experiment.',
  ),
  transitions: optional(
    Type.Array(Transition),
    'The transitions out of the state, in the order in which the engine evaluates them.',
  ),
  title: optional(Title, 'The name that pages show. Default: the label.'),
  colour: optional(Colour, 'The colour that pages use. Default: one that differs from those of other states.'),
  outcome: optional(
    v.oneOf(outcomes),
    'What it means for an experiment to stay in the state. Final states are shown in green, red or grey.',
  ),
  decision: optional(DecisionInFile, 'Experiments wait in this state for the decision of a user.'),
  callback: Type.Optional(OlderCallback),
  lifespan: Type.Optional(Type.Unknown({ description: 'Ignored. Exists only in the older layout.' })),
});

export const WorkflowFile = v.closed({
  label: {
    ...v.UnreservedLabel,
    description: 'The label of the workflow. Importing a file with the same label upgrades the workflow.',
  },
  initial: optional(v.Label, 'The label of the initial state. Default: the only state that no transition leads to.'),
  states: Type.Array(State, { minItems: 1 }),
  transitions: optional(
    Type.Array(OlderTransition),
    'Older layout: all transitions in one list. Use the transitions of each state instead.',
  ),
  external_systems: Type.Optional(
    Type.Unknown({ description: 'Ignored. Exists only in the older layout. Use a configuration file instead.' }),
  ),
  scantypes: Type.Optional(
    Type.Unknown({ description: 'Ignored. Exists only in the older layout. Use a configuration file instead.' }),
  ),
});

export type Part = 'file' | 'state' | 'callback' | 'transition' | 'olderTransition';

/** The fields that each part of a file can have. */
export const fieldsOf: Record<Part, readonly string[]> = {
  file: Object.keys(WorkflowFile.properties),
  state: Object.keys(State.properties),
  callback: Object.keys(Callback.properties),
  transition: Object.keys(Transition.properties),
  olderTransition: Object.keys(OlderTransition.properties),
};

/** The fields of a callback that are not arguments of its function in the older layout. */
export const callbackFields: readonly string[] = ['label', 'function', ...Object.keys(callbackOptions)];
