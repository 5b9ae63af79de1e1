/**
 * A workflow definition, in two forms: the file as people write it (`WorkflowFile`, in both layouts), and what remains of
 * it once read (`Definition`): every default filled in, every condition in CEL, one layout. Two files that say the same
 * have the same definition and the same hash.
 */
import { createHash } from 'node:crypto';
import { values as v } from '@milepost/api';
import { Type, type TSchema } from 'typebox';
import type { CallbackValues } from '../../store/callback-versions.ts';

export type DefinitionCallback = CallbackValues;

export const movers = ['person', 'engine', 'both'] as const;
export type Mover = (typeof movers)[number];

export interface DefinitionTransition {
  destination: string;
  condition: string;
  by: Mover;
}

export interface DefinitionState {
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

/** In one order, as the database keeps none: which variable is named first means nothing. */
export const inNameOrder = (map: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));

export const hashDefinition = (definition: Definition): string =>
  createHash('sha256').update(JSON.stringify(definition)).digest('hex');

/** What runs here. Everything else waits for a pulling worker on the queue of that name. */
export const builtInFunctions: readonly string[] = [
  'http',
  'command',
  'external_program',
  'send_mail',
  'create_task',
  'sleep',
  'wait',
  'worker',
];

export const callbackDefaults = { initial_delay: 0, run_timeout: 60, wait_timeout: 0 };

const optional = <S extends TSchema>(schema: S, description: string) => Type.Optional({ ...schema, description });
const whole = (maximum: number) => Type.Integer({ minimum: 0, maximum });
const Condition = Type.Union([Type.String(), Type.Boolean()]);
const ObjectOrText = Type.Union([v.JsonObject, Type.String()]);
const VariableMap = Type.Union([v.mapOf(Type.String(), { propertyNames: v.Label }), Type.String()]);

const callbackOptions = {
  callback_arguments: optional(
    ObjectOrText,
    'What the function gets: an object, or the same as JSON or YAML text. Placeholders such as ' +
      '{{experiment.label}} are filled in when it runs.',
  ),
  condition: optional(Condition, 'The callback is skipped unless this holds when it would start. Empty: always.'),
  description: optional(v.LongText, 'For people.'),
  initial_delay: optional(whole(31_536_000), 'Seconds to wait before the run. Default: 0.'),
  run_timeout: optional(whole(5_256_000), 'Minutes the run may take, over all attempts. 0: no limit. Default: 60.'),
  wait_timeout: optional(
    whole(5_256_000),
    'Minutes to wait for a report after a successful run. 0: no waiting. Default: 0.',
  ),
  variable_map: optional(
    VariableMap,
    'Variables of the experiment to set after success: their name, to a JSON pointer into the result values (a bare ' +
      'name means /name).',
  ),
};

const Function = {
  ...v.Label,
  description: `What runs: ${builtInFunctions.join(', ')}, or the name of a queue that your own workers pull from.`,
};

const Callback = v.closed({
  label: { ...v.Label, description: 'Unique in its state; conditions refer to it as callbacks[label].' },
  function: Function,
  ...callbackOptions,
});

/** Of the older layout: what is not an option of ours is an argument of the function. */
const OlderCallback = Type.Union(
  [
    Type.String({ description: 'The name of a function, or the object below as JSON or YAML text.' }),
    Type.Object({ label: Type.Optional(v.Label), function: Function, ...callbackOptions }),
  ],
  { description: 'Older layout: the one callback of the state. Use `callbacks`.' },
);

const Destination = { ...v.Label, description: 'The label of the state it leads to.' };
const transitionOptions = {
  condition: optional(Condition, 'It can be taken if this holds. Empty: always.'),
  by: optional(v.oneOf(movers), 'Who takes it: people, the engine, or both. Default: both.'),
};
const Transition = v.closed({ destination: Destination, ...transitionOptions });
const OlderTransition = v.closed({
  source: { ...v.Label, description: 'The label of the state it leads from.' },
  destination: Destination,
  ...transitionOptions,
});

const State = v.closed({
  label: { ...v.Label, description: 'Unique in this file.' },
  freetext: optional(v.LongText, 'For people: what it means to be in this state.'),
  callbacks: optional(Type.Array(Callback), 'What runs when an experiment enters the state. None: it rests there.'),
  transitions: optional(Type.Array(Transition), 'The ways on, in the order in which the engine tries them.'),
  callback: Type.Optional(OlderCallback),
  lifespan: Type.Optional(Type.Unknown({ description: 'Older layout: ignored.' })),
});

export const WorkflowFile = v.closed({
  label: { ...v.LabelBesideByLabel, description: 'Names the workflow: importing the label again upgrades it.' },
  initial: optional(
    v.Label,
    'The label of the state in which experiments start. Default: the one no transition leads to.',
  ),
  states: Type.Array(State, { minItems: 1 }),
  transitions: optional(
    Type.Array(OlderTransition),
    'Older layout: all transitions in one list. Use those of the states.',
  ),
  external_systems: Type.Optional(
    Type.Unknown({ description: 'Older layout: ignored. It is part of a configuration.' }),
  ),
  scantypes: Type.Optional(Type.Unknown({ description: 'Older layout: ignored. It is part of a configuration.' })),
});

/** The names of an option of a callback, which in the older layout stand among its arguments. */
export const callbackFields: readonly string[] = ['label', 'function', ...Object.keys(callbackOptions)];
