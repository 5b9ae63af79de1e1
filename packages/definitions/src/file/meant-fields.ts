/** Advice for fields that other workflow languages have, or that belong to the arguments of a function. */
import { writtenArguments } from '../callback-arguments.ts';
import type { Part } from './definition.ts';

const inFile: ReadonlyMap<string, string> = new Map([
  ['name', 'label'],
  ['id', 'label'],
  ['start', 'initial'],
  ['initial_state', 'initial'],
]);
const inState: ReadonlyMap<string, string> = new Map([
  ['name', 'label'],
  ['id', 'label'],
  ['description', 'freetext'],
  ['color', 'colour'],
  ['next', 'transitions'],
  ['actions', 'callbacks'],
]);
const inCallback: ReadonlyMap<string, string> = new Map([
  ['name', 'label'],
  ['args', 'callback_arguments'],
  ['arguments', 'callback_arguments'],
  ['timeout', 'run_timeout'],
  ['when', 'condition'],
  ['if', 'condition'],
]);
const inTransition: ReadonlyMap<string, string> = new Map([
  ['to', 'destination'],
  ['target', 'destination'],
  ['guard', 'condition'],
  ['when', 'condition'],
  ['if', 'condition'],
]);

const words: Record<Part, ReadonlyMap<string, string>> = {
  file: inFile,
  state: inState,
  callback: inCallback,
  transition: inTransition,
};

export const meantField = (name: string, part: Part): string | undefined => words[part].get(name);

export const isArgument = (name: string): boolean =>
  Object.values(writtenArguments).some(
    (schema) => 'properties' in schema && Object.hasOwn(schema.properties as object, name),
  );

/** Undefined if nothing is known about the field, whose location is given. */
export function adviceForField(pointer: string): string | undefined {
  const [, part, name = ''] = /^\/states\/\d+(?:\/(callbacks|transitions)\/\d+)?\/([^/]+)$/.exec(pointer) ?? [];
  const meant = meantField(name, part === 'callbacks' ? 'callback' : part === 'transitions' ? 'transition' : 'state');
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return part === 'callbacks' && isArgument(name) ? 'Write it below callback_arguments.' : undefined;
}
