/**
 * Writes a definition as a file, for revisions that were not imported. Reading the file gives the same definition. Defaults are
 * left out. The file is JSON, which is valid YAML and fast to write while the workflow is locked.
 */
import { callbackDefaults, type Definition, type DefinitionCallback, type DefinitionState } from './definition.ts';
import { writeDecision } from './decision.ts';
import { maxBytes } from './parse-yaml.ts';

export function writeDefinition({ label, initial, states }: Definition): string {
  const file = { label, initial, states: states.map(writeState) };
  const text = JSON.stringify(file, null, 2);
  return new TextEncoder().encode(text).length <= maxBytes ? text : JSON.stringify(file);
}

const writeState = ({ label, callbacks, transitions, decision, ...others }: DefinitionState) => ({
  label,
  ...without(
    { freetext: '', callbacks: [], transitions: [] },
    {
      ...others,
      callbacks: callbacks.map(writeCallback),
      transitions: transitions.map(({ destination, ...options }) => ({
        destination,
        ...without({ condition: '', by: 'both' }, options),
      })),
      ...(decision && { decision: writeDecision(decision) }),
    },
  ),
});

const writeCallback = ({ label, function: name, ...options }: DefinitionCallback) => ({
  label,
  function: name,
  ...without(
    { callback_arguments: {}, condition: '', description: '', variable_map: {}, ...callbackDefaults },
    options,
  ),
});

/** The fields that differ from the defaults. */
const without = <T extends object>(defaults: Readonly<Record<string, unknown>>, fields: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name])),
  ) as Partial<T>;
