/** Holds a value against the schema of the table and says in sentences what does not fit. Nothing is coerced. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { invalid, type Fault } from '../errors.ts';
import { suggestion } from '../nearest-name.ts';
import { calendarDate, dateTime, scanDate } from './formats.ts';

const mostFaults = 20;
/** A union tells of one fault several times. */
const errorsPerFault = 5;

const ajv = new Ajv({
  allErrors: true,
  strict: false,
  verbose: true,
  formats: { date: calendarDate, 'date-time': dateTime, 'scan-date': scanDate },
});

/** `spell` turns a JSON pointer into how the caller wrote it. */
type Spell = (pointer: string) => string;

/** Returns a function that lists what does not fit, up to `most` things. */
export function faultFinder(
  schema: TSchema,
  spell: Spell = (pointer) => pointer,
  most = mostFaults,
): (value: unknown) => Fault[] {
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    // Cut before sentences are made of them: a body can hold 70,000 faults, and each takes a search for the nearest name.
    const errors = (validate.errors ?? []).slice(0, errorsPerFault * most);
    return faultsOf(errors, spell).slice(0, most);
  };
}

/** Returns a function that throws 400 for what does not fit. */
export function validator(schema: TSchema, spell?: Spell): (value: unknown) => void {
  const find = faultFinder(schema, spell);
  return (value) => {
    const faults = find(value);
    if (faults.length > 0) throw invalid(...faults);
  };
}

function faultsOf(errors: readonly ErrorObject[], spell: Spell): Fault[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf');
  const hidden = new Set(unions.flatMap((union) => hiddenBy(union, errors)));
  const shown = errors.filter((error) => error.propertyName === undefined && !hidden.has(error));
  return shown.map((error) => faultOf(error, spell));
}

/**
 * The branches of a union each say why they do not fit. Where the value has the type of one of them, what is wrong
 * inside says it best; otherwise one sentence for the whole union does.
 */
function hiddenBy(union: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const branches = errors.filter((error) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`));
  if (namesOfOne(union)) return branches;
  const isOfAnotherType = (error: ErrorObject) => error.keyword === 'type' && error.instancePath === union.instancePath;
  const inside = branches.filter((error) => !isOfAnotherType(error));
  return inside.length === 0 ? branches : [union, ...branches.filter(isOfAnotherType)];
}

/** The names of which one must be there, where that is all that the union asks for. */
function namesOfOne({ keyword, schema }: ErrorObject): string[] | undefined {
  if (keyword !== 'anyOf') return undefined;
  const branches = schema as { required?: string[] }[];
  const asksForNames = branches.every((branch) => branch.required?.length === 1 && Object.keys(branch).length === 1);
  return asksForNames ? branches.flatMap(({ required = [] }) => required) : undefined;
}

function faultOf(error: ErrorObject, spell: Spell): Fault {
  const names = namesOfOne(error)?.map((one) => spell(`${error.instancePath}/${one}`));
  if (names?.[0] !== undefined)
    return { pointer: names[0], detail: `One of ${names.join(', ')} is required, and none is there.` };
  const { additionalProperty, missingProperty } = error.params as {
    additionalProperty?: string;
    missingProperty?: string;
  };
  const name = additionalProperty ?? missingProperty;
  const pointer = spell(name === undefined ? error.instancePath : `${error.instancePath}/${name}`);
  return { pointer, detail: `${pointer || 'The body'} ${sentence(error)}` };
}

type Sentence = (error: ErrorObject) => string;

const sentences: Record<string, Sentence> = {
  additionalProperties: ({ params, parentSchema }) =>
    `is not known: ${suggestion(String(params['additionalProperty']), Object.keys(parentSchema?.['properties'] ?? {}))}`,
  required: () => 'is required and missing.',
  type: ({ params }) => `must be ${typeWords[String(params['type'])] ?? String(params['type'])}.`,
  anyOf: ({ schema }) => `must be ${(schema as TSchema[]).map(schemaWords).join(', or ')}.`,
  enum: ({ params }) => `must be one of: ${(params['allowedValues'] as string[]).join(', ')}.`,
  const: ({ params }) => `must be ${JSON.stringify(params['allowedValue'])}.`,
  minLength: ({ params }) =>
    params['limit'] === 1 ? 'must not be empty.' : `must have at least ${params['limit']} characters.`,
  maxLength: ({ params }) => `must have at most ${params['limit']} characters.`,
  minimum: ({ params }) => `must be at least ${params['limit']}.`,
  maximum: ({ params }) => `must be at most ${params['limit']}.`,
  minProperties: () => 'must not be empty.',
  minItems: () => 'must not be empty.',
  pattern: (error) => patternWords(error),
  format: ({ params }) => `must be ${formatWords[String(params['format'])] ?? `of the form ${params['format']}`}.`,
  propertyNames: ({ params }) => `has the name "${params['propertyName']}", which is not allowed there.`,
};

const sentence: Sentence = (error) => sentences[error.keyword]?.(error) ?? `${error.message ?? 'does not fit'}.`;

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
  'date-time': 'a moment such as 2026-11-15T08:30:00Z',
  'scan-date': 'a date or a date with time, such as 2026-11-15 or 2026-11-15T08:30:00',
};

/** What a branch of a union wants, in words. */
function schemaWords(schema: TSchema): string {
  const { type, format, maxLength } = schema as { type?: string; format?: string; maxLength?: number };
  const words = (format && formatWords[format]) ?? typeWords[type ?? ''] ?? 'another form';
  return maxLength === undefined ? words : `${words} of at most ${maxLength} characters`;
}

/** A schema may say in words what its pattern wants. */
function patternWords({ parentSchema }: ErrorObject): string {
  const wanted = parentSchema?.['x-wanted'];
  return typeof wanted === 'string' ? `${wanted}.` : 'has characters or a form that is not allowed.';
}
