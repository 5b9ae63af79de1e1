/**
 * Checks a response against its shape: all specified fields exist and have the specified type, and all other fields are listed
 * in additions.json. A null or a missing field is a violation unless it is listed there.
 */
import type { Shape, Specification } from './specification.ts';

export interface Findings {
  violations: string[];
  /** Places with an empty array or null. */
  empty: string[];
  /** Places with a filled array or a nullable field that is not null. */
  nonEmpty: string[];
}

interface Place {
  /** As in the response: `subjects[0].label`. */
  path: string;
  /** As in additions.json: `Ref.label`. */
  name: string;
  /** The place where a resource is used, for additions that apply only there: `POST /scans: response`. */
  usedAt?: string | undefined;
}

type Rules = Pick<Specification, 'resources' | 'additions'>;

const primitives: Record<string, (value: unknown) => boolean> = {
  integer: Number.isSafeInteger,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => isObject(value),
  unknown: () => true,
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return `the number ${value}`;
  return Array.isArray(value) ? 'an array' : typeof value;
};

/** `operation` is the prefix in additions.json of response fields that belong to no resource. */
export function validate(rules: Rules, shape: Shape, value: unknown, operation: string): Findings {
  const findings: Findings = { violations: [], empty: [], nonEmpty: [] };
  check({ rules, findings }, shape, value, { path: '', name: `${operation}: response` });
  return findings;
}

interface Context {
  rules: Rules;
  findings: Findings;
}

/** The place without array indexes, so that it is the same for all elements. */
const kindOfPlace = ({ path }: Place): string => path.replaceAll(/\[\d+\]/g, '[]');

function check(context: Context, shape: Shape, value: unknown, place: Place): void {
  const { rules, findings } = context;
  const isNullable = rules.additions.has(`${place.name} also null`);
  if (isNullable) (value === null ? findings.empty : findings.nonEmpty).push(kindOfPlace(place));
  if (isNullable && value === null) return;
  if (Array.isArray(shape)) checkArray(context, shape, value, place);
  else if (typeof shape !== 'string')
    checkFields(context, shape, value, { usedAt: resourceWithFields(rules, shape), ...place });
  else if (rules.resources[shape] !== undefined)
    check(context, rules.resources[shape], value, { ...place, name: shape, usedAt: place.name });
  else if (!primitives[shape]?.(value)) mismatch(context, shape, value, place);
}

/** The resource with exactly these fields. Its additions also apply where the specification writes out its fields. */
function resourceWithFields({ resources }: Rules, shape: Record<string, Shape>): string | undefined {
  return Object.keys(resources).find((name) => fieldsOf(resources[name]) === fieldsOf(shape));
}

const fieldsOf = (shape: Shape | undefined): string =>
  Object.keys(isObject(shape) ? shape : {})
    .toSorted()
    .join();

const mismatch = ({ findings }: Context, wanted: string, value: unknown, { path }: Place): void =>
  void findings.violations.push(`${path || 'the response'} is ${kindOf(value)}, not ${wanted}`);

function checkArray(context: Context, shape: Shape[], value: unknown, place: Place): void {
  if (!Array.isArray(value)) return mismatch(context, 'an array', value, place);
  context.findings[value.length === 0 ? 'empty' : 'nonEmpty'].push(kindOfPlace(place));
  for (const [index, element] of value.entries())
    for (const inner of shape)
      check(context, inner, element, { path: `${place.path}[${index}]`, name: `${place.name}[]` });
}

function checkFields(context: Context, shape: Record<string, Shape>, value: unknown, place: Place): void {
  if (!isObject(value)) return mismatch(context, 'an object', value, place);
  const { rules, findings } = context;
  const placeOf = (field: string) => ({
    path: place.path === '' ? field : `${place.path}.${field}`,
    name: `${place.name}.${field}`,
  });
  for (const [field, inner] of Object.entries(shape)) {
    if (field in value) check(context, inner, value[field], placeOf(field));
    else if (rules.additions.has(`${place.name}.${field} also absent`))
      findings.empty.push(kindOfPlace(placeOf(field)));
    else findings.violations.push(`${placeOf(field).path} is missing`);
  }
  const isListed = (field: string) =>
    [place.name, place.usedAt].some((name) => rules.additions.has(`${name}.${field}`));
  for (const field of Object.keys(value).filter((name) => !(name in shape)))
    if (!isListed(field)) findings.violations.push(`${placeOf(field).path} is not specified`);
}
