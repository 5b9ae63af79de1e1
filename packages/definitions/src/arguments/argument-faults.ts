/**
 * Checks the arguments of a function against its schema before placeholders are filled in. Text with a placeholder can become any
 * other text, but no number.
 */
import { faultFinder, nearestName, shortened, suggestion, type Fault } from '@milepost/api';
import type { TSchema } from 'typebox';
import { writtenArguments } from '../callback-arguments.ts';
import { quoted } from '../yaml/edits.ts';
import { hasPlaceholder } from './placeholders.ts';

export interface ArgumentFault {
  code: 'unknown_argument' | 'missing_argument' | 'invalid_argument';
  /** The path into the arguments, such as `/headers/Accept`. */
  path: string;
  detail: string;
}

type Given = Readonly<Record<string, unknown>>;

const finders = new Map<string, (given: unknown) => Fault[]>();

/** Compiled when a file first has the function. */
function finderOf(name: string, schema: TSchema) {
  const find = finders.get(name) ?? faultFinder(schema);
  finders.set(name, find);
  return find;
}

/** In the older layout, arguments can be beside the function. */
export function argumentFaults(name: string, given: Given, areBeside: boolean): ArgumentFault[] {
  const schema = Object.hasOwn(writtenArguments, name) ? writtenArguments[name] : undefined;
  if (!schema) return [];
  const found = finderOf(name, schema)(given);
  const missing = new Set(found.filter(isMissing).map(nameOf));
  const others = found.filter((fault) => !isMissing(fault) && !isUnknown(fault) && !isFilledIn(schema, given, fault));
  const names = found.filter(isUnknown).map(nameOf);
  const unknown = names.map((one) => unknownArgument(name, schema, one, missing, names.length === 1));
  return [
    ...unknown,
    ...[...missing].map((argument) => missingArgument(name, argument, { given, areBeside })),
    ...others.map((fault) => invalidArgument(name, fault, given)),
  ];
}

const isTop = ({ pointer }: Fault) => pointer.lastIndexOf('/') === 0;
const isMissing = (fault: Fault) => isTop(fault) && fault.detail.endsWith(' is required.');
const isUnknown = (fault: Fault) => isTop(fault) && fault.detail.includes(' is not a known field.');
const nameOf = ({ pointer }: Fault) => pointer.slice(1);

/**
 * If the name was meant for a required argument, that one is not reported as missing. The only unknown name is meant for the only missing
 * argument, even if they differ.
 */
function unknownArgument(
  name: string,
  schema: TSchema,
  given: string,
  missing: Set<string>,
  isOnly: boolean,
): ArgumentFault {
  const all = argumentsOf(schema);
  const [first] = missing;
  const meant = nearestName(given.slice(0, 100), all) ?? (isOnly && missing.size === 1 ? first : undefined);
  if (meant !== undefined) missing.delete(meant);
  const advice = meant === undefined ? suggestion(given, all) : `Did you mean "${meant}"?`;
  const detail = `${name} has no argument "${shortened(given)}". ${all.length === 0 ? 'It takes none.' : advice}`;
  return { code: 'unknown_argument', path: `/${given}`, detail };
}

const argumentsOf = (schema: TSchema): string[] =>
  Object.keys((schema as { properties?: Record<string, TSchema> }).properties ?? {});

function missingArgument(
  name: string,
  argument: string,
  { given, areBeside }: { given: Given; areBeside: boolean },
): ArgumentFault {
  const meant = nearestName(argument, Object.keys(given).slice(0, 200));
  const added = `${argument}: ${examples[argument]}`;
  const advice =
    meant === undefined
      ? `Add it, as in ${areBeside ? added : `callback_arguments: {${added}}`}.`
      : `Rename "${shortened(meant)}" to "${argument}".`;
  return { code: 'missing_argument', path: '', detail: `${name} needs the argument "${argument}". ${advice}` };
}

/** What authors can write for the required arguments. */
const examples: Readonly<Record<string, string>> = {
  url: '"{{external_systems.XNAT}}/check"',
  binary: 'convert',
  subject: '"{experiment} needs attention"',
  body: '"See {experiment_url}."',
  task_base: 'qa.json',
  task_info: '{project: brain}',
  seconds: '10',
  queue: 'segmentation',
};

/** Text where a number belongs. */
function adviceForNumber(name: string, value: unknown, wanted: string): string {
  if (typeof value !== 'string' || !wanted.endsWith('must be a number.')) return '';
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return ` Write digits without quotes, as in ${name}: ${Number.isFinite(number) ? number : 10}.`;
}

/** Text where a list of texts belongs. */
const adviceForList = (name: string, value: unknown, wanted: string) =>
  typeof value === 'string' && value.length <= 50 && wanted.endsWith('must be a list.')
    ? ` Write ${name}: [${quoted(value)}].`
    : '';

function invalidArgument(name: string, { pointer, detail }: Fault, given: Given): ArgumentFault {
  const value = valueAt(given, pointer);
  const isShort =
    typeof value === 'string' ? value.length <= 50 : typeof value === 'number' || typeof value === 'boolean';
  const shown = isShort && !detail.includes(', but ') ? ` It is ${JSON.stringify(value)}.` : '';
  const wanted = detail.slice(pointer.length + 1);
  const argument = shortened(pointer.slice(1));
  return {
    code: 'invalid_argument',
    path: pointer,
    detail: `the argument "${argument}" of ${name} ${wanted}${shown}${adviceForNumber(argument, value, wanted)}${adviceForList(argument, value, wanted)}`,
  };
}

const stepsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const valueAt = (given: unknown, pointer: string): unknown =>
  stepsOf(pointer).reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Given)[step] : undefined),
    given,
  );

/** Text with a placeholder, where any text is of the right type. */
function isFilledIn(schema: TSchema, given: Given, { pointer }: Fault): boolean {
  const value = valueAt(given, pointer);
  return typeof value === 'string' && hasPlaceholder(value) && acceptsText([schema], stepsOf(pointer));
}

interface Branches {
  type?: string;
  anyOf?: TSchema[];
  enum?: unknown[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
  additionalProperties?: TSchema | boolean;
}

function acceptsText(schemas: readonly TSchema[], [step, ...others]: readonly string[]): boolean {
  const branches = schemas.flatMap((schema: Branches) => [schema, ...(schema.anyOf ?? [])]) as Branches[];
  if (step === undefined) return branches.some(({ type, enum: words }) => type === 'string' || words !== undefined);
  const inner = branches.flatMap(({ properties, items, additionalProperties }) => [
    ...(properties && Object.hasOwn(properties, step) ? [properties[step]] : []),
    items,
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]);
  return acceptsText(
    inner.filter((schema) => schema !== undefined),
    others,
  );
}
