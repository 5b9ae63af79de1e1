/**
 * Holds one answer against its shape: every specified field is there and of its type, and nothing else is there but what
 * additions.json lists. Nulls are faults unless listed there, too.
 */
import type { Shape, Specification } from './specification.ts';

export interface Findings {
  faults: string[];
  /** Places that showed nothing to look at: empty arrays and nulls. */
  hollow: string[];
  /** The places of the same kinds that did. */
  full: string[];
}

interface Place {
  /** As in the answer: `subjects[0].label`. */
  path: string;
  /** As in additions.json: `Ref.label`. */
  name: string;
  /** Where a resource stands, for what only this place adds to it: `POST /scans: answer`. */
  standing?: string | undefined;
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

/** `operation` is how the answer's own fields are named in additions.json, where no resource gives them a name. */
export function validate(rules: Rules, shape: Shape, value: unknown, operation: string): Findings {
  const findings: Findings = { faults: [], hollow: [], full: [] };
  check({ rules, findings }, shape, value, { path: '', name: `${operation}: answer` });
  return findings;
}

interface Context {
  rules: Rules;
  findings: Findings;
}

/** The same place in every element and every answer. */
const kindOfPlace = ({ path }: Place): string => path.replaceAll(/\[\d+\]/g, '[]');

function check(context: Context, shape: Shape, value: unknown, place: Place): void {
  const { rules, findings } = context;
  const isNullable = rules.additions.has(`${place.name} also null`);
  if (isNullable) (value === null ? findings.hollow : findings.full).push(kindOfPlace(place));
  if (isNullable && value === null) return;
  if (Array.isArray(shape)) checkArray(context, shape, value, place);
  else if (typeof shape !== 'string') checkFields(context, shape, value, { standing: sameAs(rules, shape), ...place });
  else if (rules.resources[shape] !== undefined)
    check(context, rules.resources[shape], value, { ...place, name: shape, standing: place.name });
  else if (!primitives[shape]?.(value)) mismatch(context, shape, value, place);
}

/** The resource that has just these fields, where its fields are written out: what is added to it is added here, too. */
function sameAs({ resources }: Rules, shape: Record<string, Shape>): string | undefined {
  return Object.keys(resources).find((name) => fieldsOf(resources[name]) === fieldsOf(shape));
}

const fieldsOf = (shape: Shape | undefined): string =>
  Object.keys(isObject(shape) ? shape : {})
    .toSorted()
    .join();

const mismatch = ({ findings }: Context, wanted: string, value: unknown, { path }: Place): void =>
  void findings.faults.push(`${path || 'the answer'} is ${kindOf(value)}, not ${wanted}`);

function checkArray(context: Context, shape: Shape[], value: unknown, place: Place): void {
  if (!Array.isArray(value)) return mismatch(context, 'an array', value, place);
  context.findings[value.length === 0 ? 'hollow' : 'full'].push(kindOfPlace(place));
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
    else findings.faults.push(`${placeOf(field).path} is missing`);
  }
  const isListed = (field: string) =>
    [place.name, place.standing].some((name) => rules.additions.has(`${name}.${field}`));
  for (const field of Object.keys(value).filter((name) => !(name in shape)))
    if (!isListed(field)) findings.faults.push(`${placeOf(field).path} is not specified`);
}
