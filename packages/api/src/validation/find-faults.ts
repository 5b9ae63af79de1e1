/** Validates a value against a schema and describes each error in a sentence. Nothing is coerced. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import type { Fault } from './fault.ts';
import { nearestName, suggestion } from './nearest-name.ts';
import { countCharacters } from './count-characters.ts';
import { calendarDate, dateTime, scanDate } from './formats.ts';

const maxFaults = 20;
/** A union reports one fault several times. */
const errorsPerFault = 5;

const ajv = new Ajv({
  allErrors: true,
  strict: false,
  verbose: true,
  formats: { date: calendarDate, 'date-time': dateTime, 'scan-date': scanDate },
});

/** Turns a JSON pointer into the form that the caller used. */
export type Spell = (pointer: string) => string;

/** Returns a function that lists the first `max` faults of a value. */
export function faultFinder(
  schema: TSchema,
  spell: Spell = (pointer) => pointer,
  max = maxFaults,
): (value: unknown) => Fault[] {
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    // Cut first: a body can have 70,000 faults, and each sentence requires a search for the nearest name.
    const errors = (validate.errors ?? []).slice(0, errorsPerFault * max);
    return faultsOf(errors, spell).slice(0, max);
  };
}

function faultsOf(errors: readonly ErrorObject[], spell: Spell): Fault[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf');
  const hidden = new Set(unions.flatMap((union) => hiddenBy(union, errors)));
  const shown = errors.filter((error) => error.propertyName === undefined && !hidden.has(error));
  const described = new Set<string>();
  // Empty text also breaks a pattern. The first fault of a field is enough.
  return shown
    .map((error) => faultOf(error, spell))
    .filter(({ pointer }) => !described.has(pointer) && described.add(pointer));
}

/**
 * Each branch of a union reports its own errors. If the value has the type of one branch, only the errors inside that branch
 * are useful. Otherwise one sentence for the whole union is enough.
 */
function hiddenBy(union: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const branches = errors.filter((error) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`));
  if (requiredAlternatives(union)) return branches;
  const isOfAnotherType = (error: ErrorObject) => error.keyword === 'type' && error.instancePath === union.instancePath;
  const inside = branches.filter((error) => !isOfAnotherType(error));
  return inside.length === 0 ? branches : [union, ...branches.filter(isOfAnotherType)];
}

/** The alternative names of a required field, if the union consists only of those. */
function requiredAlternatives({ keyword, schema }: ErrorObject): string[] | undefined {
  if (keyword !== 'anyOf') return undefined;
  const branches = schema as { required?: string[] }[];
  const onlyNames = branches.every((branch) => branch.required?.length === 1 && Object.keys(branch).length === 1);
  return onlyNames ? branches.flatMap(({ required = [] }) => required) : undefined;
}

function faultOf(error: ErrorObject, spell: Spell): Fault {
  const names = requiredAlternatives(error)?.map((one) => spell(`${error.instancePath}/${one}`));
  if (names?.[0] !== undefined) return { pointer: names[0], detail: `One of ${names.join(', ')} is required.` };
  const { additionalProperty, missingProperty } = error.params as {
    additionalProperty?: string;
    missingProperty?: string;
  };
  const name = additionalProperty ?? missingProperty;
  const pointer = spell(name === undefined ? error.instancePath : `${error.instancePath}/${name}`);
  return { pointer, detail: `${pointer || 'The body'} ${sentence(error, pointer)}` };
}

type Sentence = (error: ErrorObject, pointer: string) => string;

function oneOf(words: readonly string[], given: unknown): string {
  const nearest = typeof given === 'string' ? nearestName(given, words) : undefined;
  return `must be one of: ${words.join(', ')}.` + (nearest === undefined ? '' : ` Did you mean "${nearest}"?`);
}

const sentences: Record<string, Sentence> = {
  additionalProperties: ({ params, parentSchema }, pointer) =>
    `is not a known ${pointer.startsWith('?') ? 'parameter' : 'field'}. ` +
    suggestion(String(params['additionalProperty']), Object.keys(parentSchema?.['properties'] ?? {})),
  required: () => 'is required.',
  type: ({ params }) => `must be ${typeWords[String(params['type'])] ?? String(params['type'])}.`,
  anyOf: ({ schema }) => `must be ${(schema as TSchema[]).map(schemaWords).join(', or ')}.`,
  enum: ({ params, data }) => oneOf(params['allowedValues'] as string[], data),
  const: ({ params }) => `must be ${JSON.stringify(params['allowedValue'])}.`,
  minLength: (error) =>
    error.params['limit'] === 1
      ? 'must not be empty.'
      : `must have at least ${error.params['limit']} characters${lengthWords(error)}.`,
  maxLength: (error) => `must have at most ${error.params['limit']} characters${lengthWords(error)}.`,
  minimum: ({ params, data }) => `must be at least ${params['limit']}, but is ${String(data)}.`,
  maximum: ({ params, data }) => `must be at most ${params['limit']}, but is ${String(data)}.`,
  minProperties: () => 'must not be empty.',
  minItems: () => 'must not be empty.',
  pattern: (error) => patternWords(error),
  format: ({ params }) => `must be ${formatWords[String(params['format'])] ?? `in the format ${params['format']}`}.`,
  propertyNames: ({ params }) => `contains the key "${params['propertyName']}", which is not allowed.`,
};

const sentence: Sentence = (error, pointer) =>
  sentences[error.keyword]?.(error, pointer) ?? `${error.message ?? 'is invalid'}.`;

const typeWords: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const formatWords: Record<string, string> = {
  date: 'a calendar date such as 1950-12-31',
  'date-time': 'a time such as 2026-11-15T08:30:00Z',
  'scan-date': 'a date or a date and time, such as 2026-11-15 or 2026-11-15T08:30:00',
};

/** Describes the values that a branch of a union accepts. */
function schemaWords(schema: TSchema): string {
  const { type, format, maxLength } = schema as { type?: string; format?: string; maxLength?: number };
  const words = (format && formatWords[format]) ?? typeWords[type ?? ''] ?? 'another type';
  return maxLength === undefined ? words : `${words} of at most ${maxLength} characters`;
}

/** The length of a secret is not shown. */
const lengthWords = ({ data, parentSchema }: ErrorObject): string =>
  parentSchema?.['writeOnly'] === true ? '' : `, but has ${countCharacters(String(data))}`;

/** A schema can describe its pattern in `x-wanted`. */
function patternWords({ parentSchema }: ErrorObject): string {
  const wanted = parentSchema?.['x-wanted'];
  return typeof wanted === 'string' ? `${wanted}.` : 'has an invalid format.';
}
