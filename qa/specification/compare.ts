/** Compares a response with its shape: all fields are there, each has exactly the specified type, and there are no others. */
import { isDeepStrictEqual } from 'node:util';
import { resources, type Fields, type Shape } from './resources.ts';

export interface Found {
  /** One text for each difference, with the specified name of its place: `Action.end_time is null, not string`. */
  deviations: Set<string>;
  /** The places that had a value of the specified type: `executions[].id`. An array without elements has none. */
  places: Set<string>;
}

interface Place {
  /** In the specification: `Ref.label`. */
  name: string;
  /** In the response: `subjects[].label`. */
  path: string;
}

const types: Record<string, (value: unknown) => boolean> = {
  integer: Number.isSafeInteger,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => isObject(value),
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The type of a value in the words of the specification. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isSafeInteger(value) ? 'integer' : 'number') : typeof value;
}

const isArray = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** The fields of a shape and its name. Other shapes have no fields. */
export function fieldsOf(shape: Shape, name = 'response'): { name: string; fields: Fields } {
  if (isArray(shape)) return fieldsOf(shape[0], name);
  if (typeof shape !== 'string') return { name, fields: shape };
  return { name: shape, fields: resources[shape] ?? {} };
}

export function compare(
  found: Found,
  shape: Shape,
  value: unknown,
  place: Place = { name: 'response', path: '' },
): void {
  if (isArray(shape)) return compareArray(found, shape[0], value, place);
  const { name, fields } = fieldsOf(shape, place.name);
  if (typeof shape !== 'string' || name in resources)
    return compareFields(found, fields, value, { name, path: place.path });
  if (types[shape]?.(value)) found.places.add(place.path);
  else found.deviations.add(`${place.name} is ${typeOf(value)}, not ${shape}`);
}

function compareArray(found: Found, element: Shape, value: unknown, { name, path }: Place): void {
  if (!Array.isArray(value)) return void found.deviations.add(`${name} is ${typeOf(value)}, not array`);
  for (const inner of value) {
    found.places.add(`${path}[]`);
    compare(found, element, inner, { name: `${name}[]`, path: `${path}[]` });
  }
}

export function compareFields(found: Found, fields: Fields, value: unknown, { name, path }: Place): void {
  if (!isObject(value)) return void found.deviations.add(`${name} is ${typeOf(value)}, not object`);
  for (const [field, shape] of Object.entries(fields)) {
    const place = { name: `${name}.${field}`, path: path === '' ? field : `${path}.${field}` };
    if (field in value) compare(found, shape, value[field], place);
    else found.deviations.add(`${place.name} is missing`);
  }
  for (const field of Object.keys(value))
    if (!(field in fields)) found.deviations.add(`${name}.${field} is not specified`);
}

/** All places of a shape that a response can fill, except those below `without`. */
export function placesOf(shape: Shape, without: readonly string[], path = ''): string[] {
  if (without.includes(path)) return [];
  if (isArray(shape))
    return without.includes(`${path}[]`) ? [] : [`${path}[]`, ...placesOf(shape[0], without, `${path}[]`)];
  const { fields } = fieldsOf(shape);
  if (typeof shape === 'string' && !(shape in resources)) return [path];
  return Object.entries(fields).flatMap(([field, inner]) =>
    placesOf(inner, without, path === '' ? field : `${path}.${field}`),
  );
}

/** The value at a place such as `subjects.0.label`. */
export const at = (body: unknown, place: string): unknown =>
  place.split('.').reduce((value: unknown, key) => Object(value)[key], body);

export function compareValues(found: Found, body: unknown, values: Readonly<Record<string, unknown>>): void {
  for (const [place, value] of Object.entries(values)) {
    const shown = at(body, place);
    if (!isDeepStrictEqual(shown, value))
      found.deviations.add(`${place} is ${short(shown)}, not ${short(value)} as requested`);
  }
}

export const short = (value: unknown): string =>
  value === undefined ? 'undefined' : JSON.stringify(value).slice(0, 200);
