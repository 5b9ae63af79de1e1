/** Advice for fields that other workflow languages have, or that belong to the arguments of a function. */
import { nearestName } from '@milepost/api';
import { writtenArguments } from '../callback-arguments.ts';
import { fieldsOf, type Part } from './definition.ts';

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
  olderTransition: new Map([...inTransition, ['from', 'source']]),
};

const longestName = 100;

/** Undefined if the field is known, or resembles none. */
export function meantField(name: string, part: Part): string | undefined {
  const known = fieldsOf[part];
  if (known.includes(name) || (part === 'callback' && isArgument(name))) return undefined;
  return words[part].get(name) ?? nearestName(name.slice(0, longestName), known);
}

const isArgument = (name: string): boolean =>
  Object.values(writtenArguments).some(
    (schema) => 'properties' in schema && Object.hasOwn(schema.properties as object, name),
  );

/** A location in a file: of a field of the file itself, or of one of its parts. */
const location = /^(\/states\/\d+)?(?:\/(callbacks|transitions)\/\d+)?\/([^/]+)$/;

function partAt(state: string | undefined, list: string | undefined): Part {
  if (list === 'callbacks') return 'callback';
  if (list === 'transitions') return state === undefined ? 'olderTransition' : 'transition';
  return state === undefined ? 'file' : 'state';
}

/** `beside` are the fields of the same part. Undefined if nothing is known about the unknown field, whose location is given. */
export function adviceForField(pointer: string, beside: object): string | undefined {
  const [found, state, list, name = ''] = location.exec(pointer) ?? [];
  if (found === undefined) return undefined;
  const part = partAt(state, list);
  const meant = meantField(name, part);
  if (meant !== undefined && Object.hasOwn(beside, meant))
    return `Remove it. The ${part === 'olderTransition' ? 'transition' : part} already has "${meant}".`;
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return part === 'callback' && isArgument(name) ? 'Move it into callback_arguments.' : undefined;
}
